/** The place of a run's credentials, which binds their encryption to it. */
export const placeOf = (gitRunId: string) => `git_run ${gitRunId}`;
