/**
 * Operations that only one of the two transports offers, and why. Whoever adds one says here what keeps it from the
 * other; a line that is no longer true fails the test.
 */
export const onlyInGraph: Record<string, string> = {};

export const onlyInRest: Record<string, string> = {};
