import { Environment, RecordSource, Store } from 'relay-runtime';
import { network } from './network.ts';

/** Queries whose results stay in the store after the last component that reads them is gone. */
const GC_RELEASE_BUFFER_SIZE = 20;

export const environment = new Environment({
  network,
  store: new Store(new RecordSource(), { gcReleaseBufferSize: GC_RELEASE_BUFFER_SIZE }),
});
