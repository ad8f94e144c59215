import { setTimeout as sleep } from 'node:timers/promises';
import type { Alter, PassingRequest } from './altering-proxy.ts';
import type { DatabaseServer } from './database-server.ts';
import type { LawName } from './history.ts';
import type { Scene } from './scene.ts';

/** What a plant may use. */
export interface Ground {
  scene: Scene;
  database: DatabaseServer;
}

/**
 * A fault that the service does not have, made to seem its own: by a proxy before it, or by a change of its rows. The
 * checker has to find it by the law that it breaks.
 */
export interface Plant {
  name: string;
  law: LawName;
  alter?: (ground: () => Ground) => Alter;
  /** Changes rows when so many steps have been taken. */
  afterSteps?: { count: number; change(ground: Ground): Promise<unknown> };
  /** Changes rows when all is over, before the state is read. */
  atEnd?(ground: Ground): Promise<unknown>;
}

/** True for every n-th call. */
function everyNth(n: number): () => boolean {
  let count = 0;
  return () => ++count % n === 0;
}

const without = (request: PassingRequest, header: string): PassingRequest => {
  const { [header]: _, ...headers } = request.headers;
  return { ...request, headers };
};

const isCommentPost = ({ method, path }: PassingRequest) => method === 'POST' && /\/comments\?/.test(path);
const isRoleChange = ({ method, path }: PassingRequest) =>
  method !== 'GET' && (/\/permissions(\/|$)/.test(path) || /^\/v1\/orgs\/[^/]+\/members\//.test(path));

/** Again if the head was moved meanwhile. */
async function setHeadBack({ database, scene }: Ground): Promise<void> {
  for (let changed = 0; changed === 0; ) {
    const rows = await database.query(
      `update space set revision_id = e.ids ->> 'previousRevisionId' from event e
       where space.id = $1 and e.space_id = $1 and e.kind = 'space_content_updated'
         and e.ids ->> 'revisionId' = space.revision_id
       returning space.id`,
      [scene.spaceId],
    );
    changed = rows.length;
  }
}

export const PLANTS: readonly Plant[] = [
  {
    name: 'an expected version that is not compared',
    law: 'heads',
    alter: () => (request, forward) => forward(without(request, 'if-match')),
  },
  {
    name: 'a head that is set back to the one before',
    law: 'heads',
    afterSteps: {
      count: 60,
      change: setHeadBack,
    },
  },
  {
    name: 'a read of an old head',
    law: 'heads',
    alter: (ground) => {
      const isOld = everyNth(4);
      let first: Awaited<ReturnType<Parameters<Alter>[1]>> | undefined;
      return async (request, forward) => {
        if (request.method !== 'GET' || request.path !== `/v1/spaces/${ground().scene.spaceId}`) return forward();
        if (first && isOld()) return first;
        const answer = await forward();
        if (answer.status === 200) first ??= answer;
        return answer;
      };
    },
  },
  {
    name: 'a key that is applied twice',
    law: 'keys',
    alter: () => {
      // Often, as a doubled comment is no longer seen when its author changes it, or if a guest may not post.
      const isTwice = everyNth(2);
      return async (request, forward) => {
        if (isCommentPost(request) && isTwice()) await forward(without(request, 'idempotency-key'));
        return forward();
      };
    },
  },
  {
    name: 'a key that is forgotten',
    law: 'keys',
    alter: () => async (request, forward) => forward(without(request, 'idempotency-key')),
  },
  {
    name: 'an event that is missing',
    law: 'events',
    atEnd: ({ database, scene }) =>
      database.query(
        `delete from event where id = (select id from event where organization_id = $1 and kind = 'comment_posted' limit 1)`,
        [scene.organizationId],
      ),
  },
  {
    name: 'two events that are exchanged',
    law: 'events',
    atEnd: ({ database, scene }) =>
      database.query(
        `with ends as (
           select min((transaction_id, id)) as first, max((transaction_id, id)) as last from (
             select transaction_id::text::bigint as transaction_id, id from event
             where organization_id = $1 and kind in ('comment_posted', 'change_request_created')) e)
         update event set transaction_id = case id when split_part(trim(both '()' from first::text), ',', 2)
             then split_part(trim(both '()' from last::text), ',', 1)::xid8
             else split_part(trim(both '()' from first::text), ',', 1)::xid8 end
         from ends where id in (split_part(trim(both '()' from first::text), ',', 2), split_part(trim(both '()' from last::text), ',', 2))`,
        [scene.organizationId],
      ),
  },
  {
    name: 'a list of events that skips one',
    law: 'cursors',
    alter: () => {
      const skips = everyNth(3);
      return async (request, forward) => {
        const answer = await forward();
        if (!/\/events\?/.test(request.path) || answer.status !== 200) return answer;
        const body = JSON.parse(answer.body);
        if (body.items.length < 2 || !skips()) return answer;
        return { ...answer, body: JSON.stringify({ ...body, items: body.items.slice(1) }) };
      };
    },
  },
  {
    name: 'a resumed stream that begins again',
    law: 'cursors',
    alter: () => {
      let first: unknown;
      return async (request, forward) => {
        if (request.headers.accept !== 'text/event-stream') return forward();
        const { query, variables } = JSON.parse(request.body);
        first ??= variables.after;
        return forward({ ...request, body: JSON.stringify({ query, variables: { ...variables, after: first } }) });
      };
    },
  },
  {
    name: 'a text that is lost',
    law: 'texts',
    alter: () => {
      const isLost = everyNth(5);
      return async (request, forward) => {
        const isAppend = request.method === 'POST' && request.body.includes('edit_page_blocks');
        return isAppend && isLost()
          ? forward({ ...request, body: request.body.replace(/Line w\w+/, 'Line') })
          : forward();
      };
    },
  },
  {
    name: 'a write that is acknowledged and not applied',
    law: 'texts',
    alter: () => {
      const isIgnored = everyNth(3);
      return async (request, forward) => {
        if (request.method !== 'PUT' || !/\/comments\//.test(request.path) || !isIgnored()) return forward();
        const shown = await forward({ ...without(request, 'idempotency-key'), method: 'GET', body: '' });
        if (shown.status !== 200) return shown;
        const body = { ...JSON.parse(shown.body), body: JSON.parse(request.body).body };
        return { ...shown, body: JSON.stringify(body) };
      };
    },
  },
  {
    name: 'a role that is revoked late',
    law: 'permissions',
    alter: () => async (request, forward) => {
      if (!isRoleChange(request)) return forward();
      setTimeout(() => void forward().catch(() => {}), 700);
      return { status: 204, headers: {}, body: '' };
    },
  },
  {
    name: 'a guest who is taken for an admin',
    law: 'permissions',
    alter: (ground) => {
      const isMistaken = everyNth(4);
      return async (request, forward) => {
        const { guests, admin } = ground().scene;
        const isGuest = guests.some(({ token }) => request.headers.authorization === `Bearer ${token}`);
        if (!isGuest || !isMistaken()) return forward();
        return forward({ ...request, headers: { ...request.headers, authorization: `Bearer ${admin.token}` } });
      };
    },
  },
  {
    name: 'a revoked token that is accepted',
    law: 'permissions',
    alter: () => async (request, forward) => {
      if (request.method !== 'DELETE' || !request.path.startsWith('/v1/user/tokens/')) return forward();
      await sleep(10);
      return { status: 204, headers: {}, body: '' };
    },
  },
];
