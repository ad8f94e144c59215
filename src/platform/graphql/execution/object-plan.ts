import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { collectSubfields } from 'graphql/execution/collectFields.js';
import { argumentsReader } from './arguments.ts';
import { generateObject } from './generate-object.ts';
import type { CompleteObject, Plan, Planning } from './plan.ts';
import { type SelectedField, Site } from './site.ts';

type Selected = ReadonlyMap<string, readonly FieldNode[]>;

/** The selection on one object type at one position of the response, compiled when it is first needed. */
export class ObjectPlan implements Plan {
  run: CompleteObject;

  /** `collect` returns the selected fields by their keys. It can throw. */
  constructor(planning: Planning, type: GraphQLObjectType, outer: Site | undefined, collect: () => Selected) {
    this.run = (...args) => {
      const sites = [...collect()].flatMap(([key, nodes]) => {
        const field = selectedField(planning, type, key, nodes);
        return field ? Site.ofField(field, outer) : [];
      });
      this.run = generateObject({ planning, sites, lists: outer?.lists ?? 0 });
      return this.run(...args);
    };
  }

  static below(planning: Planning, type: GraphQLObjectType, site: Site): ObjectPlan {
    const { schema, fragments, variables } = planning;
    return new ObjectPlan(planning, type, site, () =>
      collectSubfields(schema, fragments, variables, type, site.field.nodes),
    );
  }
}

function selectedField(
  planning: Planning,
  parentType: GraphQLObjectType,
  key: string,
  [first, ...others]: readonly FieldNode[],
): SelectedField | undefined {
  const definition = first && definitionOf(planning, parentType, first.name.value);
  if (!definition) return undefined;
  const nodes: SelectedField['nodes'] = [first, ...others];
  const readArguments = argumentsReader({ definition, nodes });
  return { key, nodes, parentType, definition, readArguments, number: planning.fields++ };
}

/** The definition of a field, with the meta-fields of introspection. */
export function definitionOf(
  { schema }: Pick<Planning, 'schema'>,
  parentType: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  if (parentType === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return parentType.getFields()[name];
}
