import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { OpenStorage } from '../storage/open-storage.ts';
import { bad, type Finding, good, reasonOf } from './finding.ts';

/** Always the same, so that it is stored once however often this runs: what is stored is never removed. */
const SAMPLE = 'Written by the doctor, to see whether files can be stored.\n';

/** Writes a small file and reads it again. */
export async function checkStorage(place: string, open: () => Promise<OpenStorage>): Promise<Finding> {
  try {
    const { storage, close } = await open();
    try {
      const { hash } = await storage.write(Readable.from([Buffer.from(SAMPLE)]), SAMPLE.length);
      const bytes = await storage.read(hash);
      if (bytes && (await text(bytes)) === SAMPLE) return good('storage', `${place} can be written and read`);
      return bad('storage', `${place} does not give back what is written. Correct STORAGE_URL.`);
    } finally {
      close();
    }
  } catch (error) {
    const advice = 'Correct STORAGE_URL, or the rights (or credentials) that the service has there.';
    return bad('storage', `${place} cannot be used (${reasonOf(error)}). ${advice}`);
  }
}
