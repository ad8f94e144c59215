import { redact } from '../../../lib/redact/redact.ts';
import { storableText } from '../../../lib/storable-text.ts';
import type { INSIGHT_KINDS } from './entity.ts';

/** Counters that an event increases. */
export interface CountedEvent {
  type: string;
  pageId?: string | null | undefined;
  referrer?: string | null | undefined;
  query?: string | null | undefined;
}

export interface Count {
  kind: (typeof INSIGHT_KINDS)[number];
  value: string;
  total: number;
}

const MAX_QUERY = 100;

/**
 * The counters that events add to, each once, in an order that two requests share. Characters that PostgreSQL cannot
 * store are removed from their texts, so that no visitor prevents the counting of others.
 */
export function eventCounts(events: readonly CountedEvent[]): Count[] {
  const counts = new Map<string, Count>();
  const add = (kind: Count['kind'], value: string | undefined) => {
    if (!value) return;
    const key = `${kind} ${value}`;
    const existing = counts.get(key);
    if (existing) existing.total += 1;
    else counts.set(key, { kind, value, total: 1 });
  };
  for (const { type, pageId, referrer, query } of events.map(storableEvent)) {
    add('event', type);
    if (type === 'page_view') {
      add('page', pageId);
      add('referrer', hostOf(referrer));
    }
    if (type === 'search_type_query') add('search', queryOf(query));
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}

/** The texts are cleaned before personal data is looked for in them. */
const storableEvent = ({ type, pageId, referrer, query }: CountedEvent) => ({
  type,
  pageId: storableText(pageId ?? ''),
  referrer: storableText(referrer ?? ''),
  query: storableText(query ?? ''),
});

function hostOf(referrer: string): string | undefined {
  if (!URL.canParse(referrer)) return undefined;
  const { protocol, hostname } = new URL(referrer);
  return protocol === 'https:' || protocol === 'http:' ? hostname.slice(0, 253) : undefined;
}

/** Queries that differ in case and spaces only are one. Personal data and secrets in them are replaced. */
const queryOf = (query: string) =>
  redact([...query.trim()].slice(0, MAX_QUERY).join(''))
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ');
