import { faultOf } from './fault-of.ts';
import { gitdirIn } from './gitdir-in.ts';
import { openBatch } from './object-batch.ts';
import { readTip, type Tip, type TipInput } from './read-tip.ts';
import type { RemoteFault } from './remote.ts';

/** Runs in a thread: writes the files of a commit that the program `git` has fetched to the folder. */
export async function work(
  { program, ...input }: TipInput & { program: string },
  post: (beat: true) => void,
): Promise<{ tip: Tip } | { fault: RemoteFault }> {
  const objects = openBatch(gitdirIn(input.folder), program);
  try {
    return { tip: await readTip(objects, input, post) };
  } catch (error) {
    const fault = faultOf(error);
    if (fault) return { fault };
    throw error;
  } finally {
    objects.close();
  }
}
