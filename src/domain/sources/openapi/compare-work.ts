import { compareSpecifications, type SpecificationChange } from '../../../lib/openapi/compare.ts';
import { Specification } from '../../../lib/openapi/specification.ts';
import type { ProcessInput } from './process-work.ts';

type Files = ProcessInput['latest'];

/** Runs in a thread: the changes from one version to another. */
export const work = ({ before, after }: { before: Files; after: Files }): SpecificationChange[] =>
  compareSpecifications(specificationOf(before), specificationOf(after));

const specificationOf = (files: Files) =>
  new Specification(files.map(({ specification, ...file }) => ({ ...file, specification: JSON.parse(specification) })));
