/** A command of an outline, in pixels: a line, or a Bézier curve with its control points before its end. */
export type Stroke =
  | { command: 'moveTo' | 'lineTo'; args: readonly number[] }
  | { command: 'quadraticCurveTo' | 'bezierCurveTo'; args: readonly number[] }
  | { command: 'closePath'; args: readonly number[] };

/** Lines that a curve is drawn as. At the size of headings, more cannot be seen. */
const STEPS = 8;

/**
 * How much of each pixel filled outlines cover, by the signed areas that their edges leave to the right of them. Overlapping
 * outlines of one `fill` add up, at most to a whole pixel. Takes time linear in the length of the edges and in the pixels.
 */
export class Coverage {
  readonly width: number;
  readonly height: number;
  readonly #areas: Float32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#areas = new Float32Array(width * height + 2);
  }

  /** Adds an outline, moved by `x` and `y` and scaled. Its y axis points up, as in fonts. */
  fill(strokes: readonly Stroke[], { x, y, scale }: { x: number; y: number; scale: number }): void {
    let [startX, startY, atX, atY] = [0, 0, 0, 0];
    const to = (nextX: number, nextY: number) => {
      this.#edge(atX, atY, nextX, nextY);
      [atX, atY] = [nextX, nextY];
    };
    for (const { command, args } of strokes) {
      const points = args.map((value, index) => (index % 2 === 0 ? x + value * scale : y - value * scale));
      if (command === 'moveTo') {
        to(startX, startY);
        [startX = 0, startY = 0] = points;
        [atX, atY] = [startX, startY];
      } else if (command === 'closePath') to(startX, startY);
      else curve([atX, atY, ...points], to);
    }
    to(startX, startY);
  }

  /** The covered share of each pixel, row by row, 0 to 1. */
  *rows(): Generator<Float32Array> {
    for (let row = 0; row < this.height; row++) {
      const shares = new Float32Array(this.width);
      let sum = 0;
      for (let column = 0; column < this.width; column++) {
        sum += this.#areas[row * this.width + column] ?? 0;
        shares[column] = Math.min(1, Math.abs(sum));
      }
      yield shares;
    }
  }

  /**
   * Adds an edge to the rows that it crosses. Parts to the left of the image count at its first column; parts to the
   * right are ignored.
   */
  #edge(fromX: number, fromY: number, toX: number, toY: number): void {
    if (fromY === toY) return;
    const sign = fromY < toY ? 1 : -1;
    const [topX, topY, bottomX, bottomY] = sign === 1 ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
    const slope = (bottomX - topX) / (bottomY - topY);
    const last = Math.min(this.height, Math.ceil(bottomY));
    for (let row = Math.max(0, Math.floor(topY)); row < last; row++) {
      const [upper, lower] = [Math.max(topY, row), Math.min(bottomY, row + 1)];
      const [a, b] = [topX + slope * (upper - topY), topX + slope * (lower - topY)];
      this.#span(row, Math.min(a, b), Math.max(a, b), sign * (lower - upper));
    }
  }

  /** Adds a part of an edge within one row, from `left` to `right`, spread over its columns. */
  #span(row: number, left: number, right: number, height: number): void {
    const from = clamp(left, this.width);
    const to = clamp(right, this.width);
    const first = Math.floor(from);
    const columns = Math.max(1, Math.ceil(to) - first);
    for (let index = 0; index < columns; index++) {
      const column = first + index;
      if (column >= this.width) return;
      const [begin, end] = [Math.max(from, column), Math.min(to, column + 1)];
      const part = columns === 1 ? height : (height * (end - begin)) / (to - from);
      const inside = column + 1 - (begin + end) / 2;
      const at = row * this.width + column;
      this.#areas[at] = (this.#areas[at] ?? 0) + part * inside;
      if (column + 1 < this.width) this.#areas[at + 1] = (this.#areas[at + 1] ?? 0) + part * (1 - inside);
    }
  }
}

const clamp = (value: number, width: number) => Math.min(Math.max(value, 0), width);

/** De Casteljau's algorithm for curves of any degree. A line is one of the first. */
function curve(points: readonly number[], to: (x: number, y: number) => void): void {
  const steps = points.length === 4 ? 1 : STEPS;
  for (let step = 1; step <= steps; step++) {
    const share = step / steps;
    let rest = [...points];
    while (rest.length > 2) {
      const known = rest;
      rest = known.slice(2).map((value, index) => (known[index] ?? 0) * (1 - share) + value * share);
    }
    to(rest[0] ?? 0, rest[1] ?? 0);
  }
}
