import { defineEntity } from '@mikro-orm/core';
import type { JSONDocument } from '../../../lib/document/document.ts';
import { changes, createdTime, json, raisesVersion, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** Instructions for agents that write for an organization. The row exists once they were set. */
export const AgentInstructions = defineEntity({
  name: 'AgentInstructions',
  tableName: 'agent_instructions',
  properties: {
    organizationId: text().primary(),
    document: json<JSONDocument>(),
    updatedAt: createdTime(),
    updatedBy: text().nullable(),
    version: changes(),
    organization: reference('Organization', 'organization_id'),
  },
  triggers: [raisesVersion()],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    agent_instructions: Table<typeof AgentInstructions>;
  }
}
