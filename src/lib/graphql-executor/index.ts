export {
  type CompiledOperation,
  type CompileOptions,
  compileOperation,
  countCompiledFields,
} from './compile-operation.ts';
export type { SizedResult } from './execution.ts';
export { markIgnoresInfo } from './generate-object.ts';
export type { SizeEstimate } from './plan.ts';
export { RETURNS_STRINGS } from './serialize-leaf.ts';
