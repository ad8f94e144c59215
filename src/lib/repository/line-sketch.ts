const SKETCH_HASHES = 64;

/** A short summary of the lines of a text, by which similar texts are recognized: the smallest hashes of its lines. */
export function lineSketch(text: string): Uint32Array {
  const hashes = new Set<number>();
  for (const line of text.split('\n')) {
    const words = line.trim();
    if (words !== '') hashes.add(hashOfLine(words));
  }
  return Uint32Array.from([...hashes].sort((a, b) => a - b).slice(0, SKETCH_HASHES));
}

/** The share of common lines of two texts, from 0 to 1, estimated from their sketches (bottom-k MinHash). */
export function similarity(a: Uint32Array, b: Uint32Array): number {
  const [left, right] = [new Set(a), new Set(b)];
  const smallest = [...new Set([...a, ...b])]
    .sort((x, y) => x - y)
    .slice(0, Math.max(1, Math.min(SKETCH_HASHES, left.size + right.size)));
  return smallest.filter((hash) => left.has(hash) && right.has(hash)).length / smallest.length || 0;
}

/** FNV-1a, 32 bits. */
function hashOfLine(line: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < line.length; index++) hash = Math.imul(hash ^ line.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
