import { redact } from '../../../lib/redact/redact.ts';
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

/** The counters that events add to, each once, in an order that two requests share. */
export function countsOf(events: readonly CountedEvent[]): Count[] {
  const counts = new Map<string, Count>();
  const add = (kind: Count['kind'], value: string | undefined) => {
    if (!value) return;
    const key = `${kind} ${value}`;
    const existing = counts.get(key);
    if (existing) existing.total += 1;
    else counts.set(key, { kind, value, total: 1 });
  };
  for (const { type, pageId, referrer, query } of events) {
    add('event', type);
    if (type === 'page_view') {
      add('page', pageId ?? undefined);
      add('referrer', hostOf(referrer));
    }
    if (type === 'search_type_query') add('search', queryOf(query));
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}

function hostOf(referrer: string | null | undefined): string | undefined {
  if (!referrer || !URL.canParse(referrer)) return undefined;
  const { protocol, hostname } = new URL(referrer);
  return protocol === 'https:' || protocol === 'http:' ? hostname.slice(0, 253) : undefined;
}

/** Queries that differ in case and spaces only are one. Personal data and secrets in them are replaced. */
const queryOf = (query: string | null | undefined) =>
  redact([...(query ?? '').trim()].slice(0, MAX_QUERY).join(''))
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ');
