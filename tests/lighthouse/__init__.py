"""How quickly, how accessibly and how properly the pages come, as Lighthouse calculates it."""
