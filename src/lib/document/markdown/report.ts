/** Something Markdown said that the document model cannot say as it was written. */
export interface Degradation {
  /** Counted from 1 in the Markdown given; 0 where it is not known. */
  line: number;
  message: string;
}

export type Report = (line: number, message: string) => void;

const MOST_DEGRADATIONS = 1000;

/** A list of degradations and the function that adds to it; each line and message is noted once. */
export function makeReport(): { degradations: Degradation[]; report: Report } {
  const degradations: Degradation[] = [];
  const seen = new Set<string>();
  const report: Report = (line, message) => {
    const id = `${line} ${message}`;
    if (degradations.length >= MOST_DEGRADATIONS || seen.has(id)) return;
    seen.add(id);
    degradations.push({ line, message });
  };
  return { degradations, report };
}
