import pg from 'pg';
import { leaveRowsInBytes } from './data-row.ts';

/** The driver's client, whose prepared statements read rows from their bytes (`rowMaker`). */
export class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    leaveRowsInBytes((this as unknown as { connection: pg.Connection }).connection); // missing in its types
  }
}
