import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A question with the topic that a person has given it. */
export interface Labelled {
  topic: string;
  subject: string | null;
  question: string;
}

const FILE = join(import.meta.dirname, '..', '..', 'fixtures', 'support-questions.json');

/** 300 support questions on 30 topics, written by an author who does not write the code that groups them. */
export const labelledQuestions = (): Labelled[] => JSON.parse(readFileSync(FILE, 'utf8'));
