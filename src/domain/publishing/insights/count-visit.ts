import { markHandled } from '../../../lib/mark-handled.ts';
import { outsideOfRequests } from '../../../platform/context/outside-of-requests.ts';
import type { Services } from '../../../platform/context/services.ts';
import { addCounts } from './add-counts.ts';
import { type CountedEvent, eventCounts } from './count-events.ts';
import { consumeSiteQuota } from './site-quota.ts';

/** A site whose visitors are counted. */
interface Counted {
  id: string;
  organizationId: string;
}

interface Waiting extends Counted {
  events: CountedEvent[];
}

const WAIT_MS = 2_000;
const MAX_WAITING = 20_000;

interface Buffer {
  sites: Map<string, Waiting>;
  size: number;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void>;
}

const buffers = new WeakMap<Services, Buffer>();

function bufferOf(services: Services): Buffer {
  const existing = buffers.get(services);
  if (existing) return existing;
  const buffer: Buffer = { sites: new Map(), size: 0, timer: undefined, writing: Promise.resolve() };
  buffers.set(services, buffer);
  return buffer;
}

/**
 * Counts what a visitor of a site did, with the events of other visitors, two seconds later at most, so that pages do
 * not wait for it. Events are lost if the process ends meanwhile, and dropped if the site exceeds its quota or too many
 * wait.
 */
export function countVisit(services: Services, { id, organizationId }: Counted, event: CountedEvent): void {
  const buffer = bufferOf(services);
  if (buffer.size >= MAX_WAITING || consumeSiteQuota({ services }, id, 1) === 0) return;
  const waiting = buffer.sites.get(id) ?? { id, organizationId, events: [] };
  waiting.events.push(event);
  buffer.sites.set(id, waiting);
  buffer.size += 1;
  // The visit of another client must not end with this request.
  buffer.timer ??= outsideOfRequests(() => setTimeout(() => markHandled(writeVisits(services)), WAIT_MS).unref());
}

/** Writes the events that wait. Resolves when they can be read. */
export function writeVisits(services: Services): Promise<void> {
  const buffer = bufferOf(services);
  clearTimeout(buffer.timer);
  const sites = [...buffer.sites.values()];
  Object.assign(buffer, { sites: new Map(), size: 0, timer: undefined });
  buffer.writing = markHandled(buffer.writing.then(() => writeAll(services, sites)));
  return buffer.writing;
}

async function writeAll(services: Services, sites: readonly Waiting[]): Promise<void> {
  for (const { id, organizationId, events } of sites) {
    try {
      await addCounts({ db: services.db, services }, { siteId: id, organizationId }, eventCounts(events));
    } catch (error) {
      services.log.warn({ err: error, siteId: id }, 'Visits were not counted');
    }
  }
}
