/** Measures are in points (72 per inch). Pages are A4. */
export const PAGE = { width: 595.28, height: 841.89, margins: [56, 60, 56, 60] as [number, number, number, number] };

/** The width of the content. */
export const WIDTH = PAGE.width - PAGE.margins[0] - PAGE.margins[2];

export const LINK = '#175cd3';
export const INK = { black: '#101828', dim: '#344054', grey: '#667085', line: '#d0d5dd', paleGrey: '#f2f4f7' };

/** Colors of the bar and the background of hints. */
export const HINTS: Record<string, { bar: string; ground: string }> = {
  info: { bar: '#2e90fa', ground: '#eff8ff' },
  success: { bar: '#12b76a', ground: '#ecfdf3' },
  warning: { bar: '#f79009', ground: '#fffaeb' },
  danger: { bar: '#f04438', ground: '#fef3f2' },
};

/** Space between blocks. */
export const GAP = 8;
