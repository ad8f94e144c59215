import type { Context } from '../context.ts';
import { badInput, unauthenticated } from '../errors.ts';
import { type FindById, findableById } from '../find-by-id.ts';
import { type IdPrefix, PREFIXES, prefixOf } from '../ids.ts';
import { builder } from './builder.ts';

interface NodeKind {
  typeName: string;
  find: FindById;
}

const kinds = new Map<IdPrefix, NodeKind>();

/** Makes a type reachable by `node` and `nodes`. Its objects carry their id in `id`. */
export function registerNode(prefix: IdPrefix, find: FindById, typeName: string = PREFIXES[prefix]): void {
  kinds.set(prefix, { typeName, find });
  findableById(prefix, find);
}

/** Kinds that can be looked up, for the test that walks them. */
export const nodePrefixes = () => [...kinds.keys()];

const MAX_NODES = 100;
const AT = '-at-';

/** `page_…-at-rev_…` is a page in a revision; every other id is plain. */
const prefixOfNode = (id: string) => prefixOf(id.split(AT, 1)[0] ?? '');

export const Node = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'Anything that has an id of its own and can be read again by it (Relay, Global Object Identification).',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Identifies the object over the whole service; the same string as in REST.' }),
  }),
  resolveType: (value) => {
    const typed = value as { id: string; __typename?: string }; // what registerNode's finders return
    if (typed.__typename) return typed.__typename;
    const prefix = prefixOfNode(typed.id);
    return prefix && (kinds.get(prefix)?.typeName ?? PREFIXES[prefix]);
  },
});

/** Null for what is absent or hidden; without a token that is a refusal, which tells nothing (graphql.md, "Node"). */
const findNode = async (ctx: Context, id: string) => {
  const prefix = prefixOfNode(id);
  const found = prefix && (await kinds.get(prefix)?.find(ctx, id));
  if (!found && ctx.actor.kind === 'anonymous') throw unauthenticated();
  return (found ?? null) as { id: string } | null; // see registerNode
};

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    nullable: true,
    description: 'Any object by its id. Null when there is none, or none that the viewer may see.',
    args: { id: t.arg.id({ required: true, description: 'The id of any object of the graph.' }) },
    resolve: (_root, { id }, ctx) => findNode(ctx, id),
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description: `Several objects by their ids, in the order asked; null for each that the viewer may not see. At most ${MAX_NODES}.`,
    args: { ids: t.arg.idList({ required: true, description: `Ids of any objects, at most ${MAX_NODES}.` }) },
    resolve: (_root, { ids }, ctx) => {
      if (ids.length > MAX_NODES)
        throw badInput(['ids'], `Ask for at most ${MAX_NODES} ids at once, not ${ids.length}.`);
      return Promise.all(ids.map((id) => findNode(ctx, id)));
    },
  }),
}));
