"""Two games on the charts of A World at War: Strategic War and Air Raid Pearl Harbor."""
