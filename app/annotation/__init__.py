"""What Queue, Correct and Compare share."""
