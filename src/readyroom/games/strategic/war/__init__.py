"""The strategic war in twelve turns: submarines, escorts and bombers, research and codebreaking."""
