"""The probe that looks inside attention, the two lanes, and the scenarios that drive them."""
