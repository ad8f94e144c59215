import type { Content } from 'pdfmake/interfaces.d.ts';
import { GAP, INK } from './styles.ts';

/** A paragraph that begins where others do, with the usual gap behind it. */
export const GAP_BELOW: [number, number, number, number] = [0, 0, 0, GAP];

/** Content on a colored ground, with a bar beside it. It breaks over pages. */
export const barBox = (content: Content[], { bar, ground }: { bar: string; ground?: string }): Content => ({
  table: { widths: ['*'], body: [[{ stack: content, ...(ground && { fillColor: ground }) }]] },
  layout: {
    hLineWidth: () => 0,
    vLineWidth: (line) => (line === 0 ? 3 : 0),
    vLineColor: () => bar,
    paddingLeft: () => 10,
    paddingRight: () => 8,
    paddingTop: () => 6,
    paddingBottom: () => 0,
  },
  margin: GAP_BELOW,
});

/** Content on grey ground, for code. */
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
