import { hintTag, titleAttribute } from './hint.ts';
import { titleAsHtml } from './inline-title.ts';
import type { JsxTag } from './jsx-tag.ts';
import { CLOSE, OPEN } from './mdx-indents.ts';

/** The lines that a component begins and ends with. */
export interface Component {
  open: readonly string[];
  close: readonly string[];
}

type Attributes = JsxTag['attributes'];
type Read = (attributes: Attributes, rest: string) => Component;

const NOTHING: Component = { open: [OPEN, ''], close: ['', CLOSE] };

const titleOf = (attributes: Attributes, ...names: string[]): string =>
  names.map((name) => attributes.get(name)?.trim()).find((value) => value !== undefined && value !== '') ?? '';

const hint =
  (type: string): Read =>
  (attributes) => {
    const title = titleOf(attributes, 'title', 'heading');
    const own = titleOf(attributes, 'type', 'kind', 'variant', 'intent') || type;
    return { open: [hintTag(own), ...(title === '' ? [] : [`**${title}**`, ''])], close: ['{% endhint %}'] };
  };

const fold: Read = (attributes) => {
  const title = titleOf(attributes, 'title', 'summary', 'label', 'header') || 'Details';
  const description = titleOf(attributes, 'description');
  const open = ['<details>', '', `<summary>${titleAsHtml(title)}</summary>`, '', OPEN, ''];
  return { open: [...open, ...(description === '' ? [] : [description, ''])], close: ['', CLOSE, '</details>', ''] };
};

const card: Read = (attributes) => {
  const title = titleOf(attributes, 'title', 'name', 'heading') || titleOf(attributes, 'href', 'to', 'link');
  const address = titleOf(attributes, 'href', 'to', 'link', 'url');
  const description = titleOf(attributes, 'description');
  const heading = address === '' ? `**${title}**` : `**[${title}](<${address.replace(/[<>\n]/g, '')}>)**`;
  const titleLines = title === '' ? [] : [heading, ''];
  return { open: [OPEN, '', ...titleLines, ...(description === '' ? [] : [description, ''])], close: ['', CLOSE] };
};

const tab: Read = (attributes) => ({
  open: [`{% tab${titleAttribute(titleOf(attributes, 'label', 'title', 'value') || 'Tab')} %}`],
  close: ['{% endtab %}'],
});

/** Steps with components for each are a stepper; steps that are headings or a list stay those. */
const steps: Read = (_, rest) => {
  const end = rest.indexOf('</Steps>');
  const hasSteps = /<Step[\s>]/.test(end < 0 ? rest.slice(0, MAX_SEARCHED) : rest.slice(0, end));
  return hasSteps ? { open: ['{% stepper %}'], close: ['{% endstepper %}'] } : NOTHING;
};

const MAX_SEARCHED = 20_000;

const step: Read = (attributes) => {
  const title = titleOf(attributes, 'title', 'label');
  return { open: ['{% step %}', ...(title === '' ? [] : [`### ${title}`, ''])], close: ['{% endstep %}'] };
};

/** A parameter or member of an API, with its type. */
const field: Read = (attributes) => {
  const name = titleOf(attributes, 'name', 'path', 'query', 'body', 'header', 'param');
  const notes = [
    titleOf(attributes, 'type') && `\`${titleOf(attributes, 'type')}\``,
    attributes.has('required') && 'required',
    titleOf(attributes, 'default') && `default: \`${titleOf(attributes, 'default')}\``,
  ].filter((note) => note);
  return { open: [OPEN, '', [`**\`${name}\`**`, ...notes].join(' '), ''], close: ['', CLOSE] };
};

const frame: Read = (attributes) => {
  const caption = titleOf(attributes, 'caption', 'hint');
  return { open: [OPEN, ''], close: [...(caption === '' ? [] : ['', caption]), '', CLOSE] };
};

/** Components that sites of MDX share, with their meaning here. */
const COMPONENTS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ...['Callout', 'Admonition', 'Aside', 'Alert', 'Note', 'Info'].map((name) => [name, hint('info')] as const),
  ...['Tip', 'Check', 'Success'].map((name) => [name, hint('tip')] as const),
  ...['Warning', 'Caution', 'Important'].map((name) => [name, hint('warning')] as const),
  ...['Danger', 'Error'].map((name) => [name, hint('danger')] as const),
  ...['Accordion', 'AccordionItem', 'Expandable', 'Collapsible', 'Details'].map((name) => [name, fold] as const),
  ...['Card', 'LinkCard', 'Cards.Card', 'Tile'].map((name) => [name, card] as const),
  ...['TabItem', 'Tab', 'Tabs.Tab'].map((name) => [name, tab] as const),
  ...['ParamField', 'ResponseField'].map((name) => [name, field] as const),
  ['Tabs', () => ({ open: ['{% tabs %}'], close: ['{% endtabs %}'] })],
  ['Steps', steps],
  ['Step', step],
  ['Frame', frame],
  ...['AccordionGroup', 'CardGroup', 'CardGrid', 'Cards', 'Columns', 'Column', 'Panel', 'RequestExample'].map(
    (name) => [name, () => NOTHING] as const,
  ),
  ...['ResponseExample', 'LinkButton', 'FileTree', 'Fragment', ''].map((name) => [name, () => NOTHING] as const),
]);

/** The meaning of a component here; undefined for components without one. `rest` is the text after its tag. */
export const componentOf = ({ name, attributes }: JsxTag, rest: string): Component | undefined =>
  COMPONENTS.get(name)?.(attributes, rest);

export const isKnownComponent = (name: string): boolean => COMPONENTS.has(name);
