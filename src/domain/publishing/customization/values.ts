import { z } from 'zod';
import { contentRefShape } from '../../../lib/document/data-shapes.ts';
import { conditionFault } from '../../../lib/expression/condition.ts';
import { emoji, lineText, multilineText } from '../../../platform/shapes/text.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';
import { siteAnnouncementStyle, siteHeaderItemStyle, siteSocialPlatform } from './enums.ts';

export const DEFAULT_FONTS = [
  'ABCFavorit',
  'Inter',
  'Roboto',
  'RobotoSlab',
  'OpenSans',
  'SourceSansPro',
  'Lato',
  'Ubuntu',
  'Raleway',
  'Merriweather',
  'Overpass',
  'NotoSans',
  'IBMPlexSerif',
  'Poppins',
  'FiraSans',
] as const;

export const MONOSPACE_FONTS = [
  'FiraCode',
  'IBMPlexMono',
  'JetBrainsMono',
  'SourceCodePro',
  'RobotoMono',
  'SpaceMono',
  'DMMono',
  'Inconsolata',
] as const;

/** Maximum length of lists of links, groups of links, and faces of a font. */
export const MAX_APPEARANCE_ITEMS = 50;

const themed = <Value extends z.ZodType>(value: Value) => z.object({ light: value, dark: value });

export const color = themed(
  z.string().regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'must be a color such as #346ddb or #fff'),
);

export const themedUrl = themed(webAddress());

/** Names of the themes of code: the highlighter knows more than the two of its own. */
export const codeTheme = themed(lineText(1, 50).regex(/^[a-z0-9-]+$/, 'must be the name of a theme of code'));

const fontDefinition = z.object({
  id: lineText(1, 100),
  custom: z.boolean(),
  fontFamily: lineText(1, 100),
  fontFaces: z.array(z.looseObject({})).min(1).max(MAX_APPEARANCE_ITEMS),
});

export const font = z.union([z.enum(DEFAULT_FONTS), fontDefinition], {
  error: `must be a font definition or one of ${DEFAULT_FONTS.join(', ')}`,
});

export const monospaceFont = z.union([z.enum(MONOSPACE_FONTS), fontDefinition], {
  error: `must be a font definition or one of ${MONOSPACE_FONTS.join(', ')}`,
});

const none = z.custom<Record<string, never>>(
  (value) => typeof value === 'object' && value !== null && Object.keys(value).length === 0,
);

export const favicon = z.union([z.object({ icon: themedUrl }), z.object({ emoji: emoji() }), none], {
  error: 'must be { "icon": { "light", "dark" } }, { "emoji" } or {}',
});

/** Schemes that a link of a site may have, or a path of the site. Scripts are no links. */
const SAFE_TARGET = /^(?:https?:\/\/|mailto:|tel:|\/|#)/i;

/** The kinds of content references that documents have. */
const KINDS = new Set<string>(contentRefShape.options.map(({ shape }) => shape.kind.value));

/**
 * A content reference. One of a kind that documents have must have the members of this kind; those of other kinds are
 * stored as they are. A URL must not run a script.
 */
const contentRef = z
  .looseObject({ kind: lineText(1, 50), url: multilineText(0, 2048).optional() })
  .refine(({ kind, url }) => kind !== 'url' || (url !== undefined && SAFE_TARGET.test(url)), {
    error: 'must refer to content, or to a URL with https, http, mailto or tel',
    path: ['url'],
  })
  .superRefine((ref, { addIssue }) => {
    const issues = KINDS.has(ref.kind) ? contentRefShape.safeParse(ref).error?.issues : undefined;
    for (const { path, message } of issues ?? []) addIssue({ code: 'custom', message, path });
  });

const contentLink = z.object({ title: lineText(0, 64), to: contentRef });

export const headerCondition = multilineText(0, 1024).refine(
  (source) => conditionFault(source) === undefined,
  'is not a valid expression',
);

export const headerItem = z.object({
  title: lineText(0, 64),
  style: siteHeaderItemStyle.optional(),
  to: contentRef.nullable(),
  links: z.array(contentLink).max(MAX_APPEARANCE_ITEMS).prefault([]),
  condition: headerCondition.optional(),
});

export const headerItems = z.array(headerItem).max(MAX_APPEARANCE_ITEMS);

export const footerGroups = z
  .array(z.object({ title: lineText(0, 64), links: z.array(contentLink).max(MAX_APPEARANCE_ITEMS).prefault([]) }))
  .max(MAX_APPEARANCE_ITEMS);

export const announcement = z.object({
  enabled: z.boolean(),
  message: lineText(2, 128),
  style: siteAnnouncementStyle,
  link: contentLink.optional(),
});

export const socialAccounts = z
  .array(
    z.object({
      platform: siteSocialPlatform,
      handle: lineText(1, 255),
      display: z.object({ footer: z.boolean().prefault(true), header: z.boolean().prefault(false) }).prefault({}),
    }),
  )
  .max(10);

export const primaryLink = contentRef;
