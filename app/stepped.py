"""Step functions of plots. Pure."""


def steps(points: tuple[tuple[float, float], ...], until: float | None = None) -> tuple[tuple[float, float], ...]:
    """Every value holds until the next point, the last one until `until`."""
    drawn: list[tuple[float, float]] = []
    for x, y in points:
        if drawn:
            drawn.append((x, drawn[-1][1]))
        drawn.append((x, y))
    if drawn and until is not None and until > drawn[-1][0]:
        drawn.append((until, drawn[-1][1]))
    return tuple(drawn)
