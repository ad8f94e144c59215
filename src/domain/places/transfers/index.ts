export { addTransferPrecondition, type Transfer, type TransferPrecondition } from './preconditions.ts';
