import type { Content } from 'pdfmake/interfaces.d.ts';
import { GAP, INK } from './styles.ts';

/** A paragraph with the usual indentation and margin. */
export const GAP_BELOW: [number, number, number, number] = [0, 0, 0, GAP];

/** Content without the space below its last part. */
export function tight(content: Content[]): Content[] {
  const last = content.at(-1);
  if (typeof last !== 'object' || Array.isArray(last) || !('margin' in last) || !Array.isArray(last.margin)) {
    return content;
  }
  const [left, top, right] = last.margin as number[];
  return [...content.slice(0, -1), { ...last, margin: [left ?? 0, top ?? 0, right ?? 0, 0] } as Content];
}

/** Content on a colored background with a bar on its left. It can break across pages. */
export const barBox = (content: Content[], { bar, ground }: { bar: string; ground?: string }): Content => ({
  table: { widths: ['*'], body: [[{ stack: tight(content), ...(ground && { fillColor: ground }) }]] },
  layout: {
    hLineWidth: () => 0,
    vLineWidth: (line) => (line === 0 ? 3 : 0),
    vLineColor: () => bar,
    paddingLeft: () => 10,
    paddingRight: () => 8,
    paddingTop: () => 6,
    paddingBottom: () => 6,
  },
  margin: GAP_BELOW,
});

/** Content on a grey background, for code. */
export const greyBox = (content: Content[]): Content => ({
  table: { widths: ['*'], body: [[{ stack: content, fillColor: INK.paleGrey }]] },
  layout: {
    hLineWidth: () => 0,
    vLineWidth: () => 0,
    paddingLeft: () => 8,
    paddingRight: () => 8,
    paddingTop: () => 6,
    paddingBottom: () => 6,
  },
  margin: GAP_BELOW,
});
