"""Two traces of the same tokens as one: A takes the oracle's place, B the cached lane's. No torch."""
