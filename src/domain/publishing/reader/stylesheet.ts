import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { contrast, inkOn, mixColors, readableOn, solidColors } from '../../../lib/document-html/colors.ts';
import { ownFile } from '../../../platform/own-files.ts';
import type { Customization } from '../customization/index.ts';

/** The rules of all sites, which use the variables below. */
const RULES = readFileSync(ownFile('src/domain/publishing/reader/style.css'), 'utf8');

type Mode = 'light' | 'dark';

const RADIUS = { straight: '0px', rounded: '8px', circular: '16px' } as const;

const SERIF = new Set(['RobotoSlab', 'Merriweather', 'IBMPlexSerif']);

/** The stylesheet of a site, and the hash that its URL contains. */
export interface Stylesheet {
  css: string;
  hash: string;
}

export function stylesheetOf(look: Customization): Stylesheet {
  const light = variables(colorsOf(look, 'light'));
  const dark = variables(colorsOf(look, 'dark'));
  const css = `:root{color-scheme:light;${variables(shapesOf(look))}${light}}
:root[data-mode=dark]{color-scheme:dark;${dark}}
@media (prefers-color-scheme:dark){:root[data-mode=auto]{color-scheme:dark;${dark}}}
${RULES}`;
  return { css, hash: createHash('sha256').update(css).digest('base64url').slice(0, 16) };
}

const variables = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `--${name}:${value};`)
    .join('');

function shapesOf({ styling, header }: Customization): Record<string, string> {
  return {
    radius: RADIUS[styling.corners],
    font: fontStack(styling.font),
    'heading-font': fontStack(styling.headingFont ?? styling.font),
    mono: `${nameOfFont(styling.monospaceFont)}, ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace`,
    shadow: styling.depth === 'flat' ? 'none' : '0 8px 30px #0000002e',
    lift: styling.depth === 'flat' ? 'none' : '0 1px 2px #0000000f',
    head: header.preset === 'none' ? '4rem' : '4.0625rem',
  };
}

/** Fonts are not loaded: those that the device has are used, otherwise those of the system. */
function fontStack(font: Customization['styling']['font']): string {
  const fallback = typeof font === 'string' && SERIF.has(font) ? 'Georgia, serif' : 'system-ui, "Segoe UI", sans-serif';
  return `${nameOfFont(font)}, ${fallback}`;
}

/** `SourceSansPro` is the family "Source Sans Pro". Names are quoted without characters that could end the string. */
function nameOfFont(font: string | { fontFamily: string }): string {
  const name = typeof font === 'string' ? font.replace(/(?<=[a-z])(?=[A-Z])/g, ' ') : font.fontFamily;
  return `"${name.replace(/[^\p{L}\p{N} _-]/gu, '')}"`;
}

function colorsOf({ styling, header }: Customization, mode: Mode): Record<string, string> {
  const isDark = mode === 'dark';
  const tint = styling.tint?.color[mode];
  const tinted = (color: string, share: number) => (tint === undefined ? color : mixColors(color, tint, share));
  const plain = tinted(
    isDark ? '#14171c' : '#ffffff',
    styling.theme === 'muted' || styling.background === 'match' ? 0.05 : 0,
  );
  const back = styling.theme === 'muted' ? mixColors(plain, isDark ? '#ffffff' : '#5b6472', 0.04) : plain;
  const text = isDark ? '#e6e9ee' : '#1d2430';
  const raised = tinted(mixColors(back, text, isDark ? 0.06 : 0.035), 0.03);
  const primary = styling.primaryColor[mode];
  const tintBack = mixColors(back, primary, isDark ? 0.2 : 0.1);
  const button = solidColors(primary);
  const accent = readableOn(primary, back, raised, tintBack);
  const soft = readableOn(isDark ? '#a2abb8' : '#586273', back, raised);
  const tone = (color: { light: string; dark: string }) => {
    const toneBack = mixColors(back, color[mode], isDark ? 0.16 : 0.09);
    return { ink: readableOn(color[mode], toneBack, back), back: toneBack };
  };
  const [info, success, warning, danger] = [
    tone(styling.infoColor),
    tone(styling.successColor),
    tone(styling.warningColor),
    tone(styling.dangerColor),
  ];
  return {
    back,
    text,
    raised,
    soft,
    primary: button.back,
    accent,
    line: mixColors(back, text, isDark ? 0.16 : 0.11),
    'field-line': mixColors(back, text, 0.45),
    'on-primary': button.ink,
    'tint-back': tintBack,
    link: styling.links === 'accent' ? accent : text,
    ...headColors({ styling, header }, mode, { back, text, accent, primary: button.back }),
    'code-back': mixColors(back, text, isDark ? 0.04 : 0.02),
    info: info.ink,
    'info-back': info.back,
    success: success.ink,
    'success-back': success.back,
    warning: warning.ink,
    'warning-back': warning.back,
    danger: danger.ink,
    'danger-back': danger.back,
    'c-blue': readableOn('#2f6fde', back),
    'c-purple': readableOn('#8250df', back),
    ...codeColors(mixColors(back, text, isDark ? 0.04 : 0.02), tintBack, isDark),
  };
}

/** Colors of code that can be read on its background, highlighted or not. */
function codeColors(back: string, highlighted: string, isDark: boolean): Record<string, string> {
  const on = (color: string) => readableOn(color, back, highlighted);
  return isDark
    ? {
        't-comment': on('#8b949e'),
        't-keyword': on('#ff7b72'),
        't-string': on('#a5d6ff'),
        't-constant': on('#79c0ff'),
        't-function': on('#d2a8ff'),
      }
    : {
        't-comment': on('#6e7781'),
        't-keyword': on('#cf222e'),
        't-string': on('#0a3069'),
        't-constant': on('#0550ae'),
        't-function': on('#8250df'),
      };
}

interface Palette {
  back: string;
  text: string;
  accent: string;
  primary: string;
}

function headColors(
  { styling, header }: Pick<Customization, 'styling' | 'header'>,
  mode: Mode,
  { back, text, accent, primary }: Palette,
): Record<string, string> {
  const on = (background: string, color = inkOn(background)) => {
    const ink = contrast(color, background) >= 4.5 ? color : readableOn(color, background);
    return { 'head-back': background, 'head-text': ink, 'head-accent': ink };
  };
  const isBold = header.preset === 'bold' || (header.preset === 'default' && styling.theme === 'bold');
  if (isBold) return on(primary);
  if (header.preset === 'contrast') return on(text, back);
  if (header.preset === 'custom' && header.backgroundColor)
    return on(header.backgroundColor[mode], header.linkColor?.[mode]);
  return { 'head-back': back, 'head-text': text, 'head-accent': accent };
}
