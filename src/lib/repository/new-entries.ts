import { canonicalJson } from '../canonical.ts';
import { quote, type ReportEntry, warning } from './report.ts';
import { type SpaceTag, TAGS_FILE } from './tags.ts';
import { VARIABLES_FILE, type VariableValue } from './variables.ts';

/** Who has the existing entries, for the report. */
type Owner = 'the space' | 'an earlier file';

/** The variables whose names do not exist yet. Existing ones keep their values; other values for them are reported. */
export function newVariables(
  existing: Readonly<Record<string, VariableValue>>,
  added: Readonly<Record<string, VariableValue>>,
  owner: Owner,
): { variables: Record<string, VariableValue>; report: ReportEntry[] } {
  const entries = Object.entries(added);
  const report = entries
    .filter(([name, value]) => Object.hasOwn(existing, name) && existing[name] !== value)
    .map(([name]) =>
      warning(VARIABLES_FILE, `The variable ${quote(name)} was not imported: ${owner} has another value for it.`),
    );
  return { variables: Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(existing, name))), report };
}

/** The tags whose slugs do not exist yet, in order. Existing ones stay as they are; different ones are reported. */
export function newTags(
  existing: readonly SpaceTag[],
  added: readonly SpaceTag[],
  owner: Owner,
): { tags: SpaceTag[]; report: ReportEntry[] } {
  const report = differentTags(existing, added).map(({ slug }) =>
    warning(TAGS_FILE, `The tag ${quote(slug)} was not imported: ${owner} has another tag with this name.`),
  );
  const slugs = new Set(existing.map(({ slug }) => slug));
  return { tags: added.filter(({ slug }) => !slugs.has(slug)), report };
}

/** Entries for existing tags that others take the place of, with what they were. */
export const replacedTags = (existing: readonly SpaceTag[], added: readonly SpaceTag[]): ReportEntry[] =>
  differentTags(existing, added).map(({ slug, ...former }) => ({
    ...warning(TAGS_FILE, `The tag ${quote(slug)} of the space was replaced. It was ${JSON.stringify(former)}.`),
    outcome: 'changed',
  }));

/** The existing tags for which there are different ones with the same slug. */
function differentTags(existing: readonly SpaceTag[], added: readonly SpaceTag[]): SpaceTag[] {
  const addedBySlug = new Map(added.map((tag) => [tag.slug, tag]));
  return existing.filter((tag) => {
    const other = addedBySlug.get(tag.slug);
    return other !== undefined && canonicalJson(other) !== canonicalJson(tag);
  });
}
