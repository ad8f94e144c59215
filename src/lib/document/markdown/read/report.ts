/** A part of the Markdown that the document cannot represent as it was written. */
export interface Degradation {
  /** Line in the Markdown, counting from 1; 0 if it is unknown. */
  line: number;
  message: string;
}

export type Report = (line: number, message: string) => void;

const MAX_DEGRADATIONS = 1000;

/** A list of degradations and the function that adds to it. Each line and message is reported once. */
export function makeReport(): { degradations: Degradation[]; report: Report } {
  const degradations: Degradation[] = [];
  const seen = new Set<string>();
  const report: Report = (line, message) => {
    const id = `${line} ${message}`;
    if (degradations.length >= MAX_DEGRADATIONS || seen.has(id)) return;
    seen.add(id);
    degradations.push({ line, message });
  };
  return { degradations, report };
}
