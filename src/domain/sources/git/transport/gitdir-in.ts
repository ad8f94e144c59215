import { join } from 'node:path';

/** The repository in the folder of a fetch. */
export const gitdirIn = (folder: string): string => join(folder, 'repository.git');
