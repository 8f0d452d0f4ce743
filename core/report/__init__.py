"""What is written for people and programs: JSON, and the tables of the terminal."""
