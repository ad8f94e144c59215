import { expect, test } from 'vitest';
import { describeApi } from '../../src/describe-api.ts';
import type { Route } from '../../src/platform/http/route.ts';
import { routes } from '../../src/routes.ts';
import { world } from '../world.ts';
import { callRoute } from './calls.ts';
import { furnish } from './furnish.ts';
import { UNPLAIN } from './unplain.ts';

const { admin, organizationId } = await world();
const ids = await furnish(admin, organizationId);

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  const?: unknown;
  additionalProperties?: unknown;
}

type Path = (string | number)[];

const described = describeApi({ publicUrl: 'https://docs.example' }) as unknown as {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
};

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : resolved(described.components.schemas[name] ?? {});
}

const variantsOf = (schema: Schema): Schema[] => {
  const { anyOf, oneOf, ...own } = resolved(schema);
  return anyOf || oneOf ? [...(anyOf ?? []), ...(oneOf ?? [])].flatMap(variantsOf) : [own];
};

/** A body in which one member is of a wrong type, and the way to it. */
interface Faulty {
  value: unknown;
  path: Path;
}

/** A value that no member takes. */
const WRONG = { wrong: [{}] };

/** Bodies that are wrong in one place each: at every member that is described, five levels down. */
function faultsIn(schema: Schema, depth = 0): Faulty[] {
  if (depth > 5) return [];
  return variantsOf(schema).flatMap(({ properties = {}, items }): Faulty[] => {
    const said = Object.entries(properties).flatMap(([name, member]) => {
      const { const: only } = resolved(member);
      return only === undefined ? [] : [[name, only] as const];
    });
    const within = Object.entries(properties).flatMap(([name, member]) =>
      said.some(([known]) => known === name)
        ? []
        : [{ value: WRONG, path: [] as Path }, ...faultsIn(member, depth + 1)].map(({ value, path }) => ({
            value: { ...Object.fromEntries(said), [name]: value },
            path: [name, ...path],
          })),
    );
    const listed = items
      ? faultsIn(items, depth + 1).map(({ value, path }) => ({ value: [value], path: [0, ...path] }))
      : [];
    return [...within, ...listed];
  });
}

/** Whether a path leads to a member as the description has them; below what is described as any value, it may go on. */
function isDescribed(schema: Schema, [part, ...rest]: Path): boolean {
  if (part === undefined) return true;
  return variantsOf(schema).some(({ properties, items, additionalProperties }) => {
    if (typeof part === 'number') return items !== undefined && isDescribed(items, rest);
    if (!properties) return items === undefined || additionalProperties !== undefined;
    const member = Object.hasOwn(properties, part) ? properties[part] : undefined;
    return member !== undefined && isDescribed(member, rest);
  });
}

const bodyOf = ({ method, path }: Route): Schema | undefined =>
  described.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.requestBody?.content['application/json']
    ?.schema;

const cases = routes.flatMap((route) => {
  const schema = bodyOf(route);
  return schema && route.operation ? [[`${route.method} ${route.path}`, route, schema] as const] : [];
});

test.each(cases)(
  '%s reports issues with the paths of the request body, in plain words',
  async (_address, route, schema) => {
    const faults = faultsIn(schema);
    const foreign: unknown[] = [];
    const unplain: string[] = [];
    for (const { value, path } of faults) {
      const { body } = await callRoute(admin, route, ids, value);
      const issues: { path: Path; message: string }[] = body.error?.issues ?? [];
      foreign.push(...issues.filter((issue) => !isDescribed(schema, issue.path)).map((issue) => ({ path, issue })));
      const messages = [body.error?.message ?? '', ...issues.map(({ message }) => message)];
      unplain.push(...messages.filter((message) => UNPLAIN.test(message)));
    }
    expect(foreign).toEqual([]);
    expect(unplain).toEqual([]);
  },
);

test('the test covers every write with a body, and nested changes', () => {
  expect(cases.length).toBeGreaterThan(20);
  const tried = cases.flatMap(([, , schema]) => faultsIn(schema).map(({ path }) => path.join('.')));
  expect(tried).toContain('changes.0.before');
  expect(tried).toContain('changes.0.document.markdown');
});
