import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { makeArgumentReader } from './argument-reader.ts';
import { collectFields, type SelectedNodes } from './collect-fields.ts';
import { generateObject } from './generate-object.ts';
import type { CompleteObject, Plan, PlanContext } from './plan.ts';
import { ResponsePosition, type SelectedField } from './position.ts';

/** The selection on one object type at one position of the response, compiled when the first object is completed. */
export class ObjectPlan implements Plan {
  run: CompleteObject;

  /** `collect` returns the selected fields by their keys. It can throw. */
  constructor(
    planContext: PlanContext,
    type: GraphQLObjectType,
    outer: ResponsePosition | undefined,
    collect: () => SelectedNodes,
  ) {
    this.run = (...args) => {
      const positions = [...collect()].flatMap(([key, nodes]) => {
        const field = selectedField(planContext, type, key, nodes);
        return field ? ResponsePosition.ofField(field, outer) : [];
      });
      this.run = generateObject({ planContext, positions, lists: outer?.lists ?? 0 });
      return this.run(...args);
    };
  }

  static below(planContext: PlanContext, type: GraphQLObjectType, position: ResponsePosition): ObjectPlan {
    const selectionSets = position.field.nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    return new ObjectPlan(planContext, type, position, () => collectFields(planContext, type, selectionSets));
  }
}

function selectedField(
  planContext: PlanContext,
  parentType: GraphQLObjectType,
  key: string,
  [first, ...others]: readonly FieldNode[],
): SelectedField | undefined {
  const definition = first && definitionOf(planContext, parentType, first.name.value);
  if (!definition) return undefined;
  const nodes: SelectedField['nodes'] = [first, ...others];
  const readArguments = makeArgumentReader({ definition, nodes });
  return { key, nodes, parentType, definition, readArguments, number: planContext.fields++ };
}

/** The definition of a field, with the meta-fields of introspection. */
export function definitionOf(
  { schema }: Pick<PlanContext, 'schema'>,
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
