"""Files of a trace to take away: graph texts, drawings and a stand-alone stepper."""
