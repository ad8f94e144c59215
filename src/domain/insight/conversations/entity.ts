import { defineEntity, p } from '@mikro-orm/core';
import type { z } from 'zod';
import type { StoredFrequencies } from '../../../lib/grouping/vectors.ts';
import { createdTime, hash, json, reference, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import type { ClusterStatus, partRole } from './enums.ts';

/** A stored part of a conversation. */
export interface ConversationPart {
  type: 'message';
  role: z.infer<typeof partRole>;
  body: string;
}

/** A conversation with a visitor, as it was sent but redacted. */
export const Conversation = defineEntity({
  name: 'Conversation',
  tableName: 'conversation',
  properties: {
    id: text().primary(),
    organizationId: text(),
    source: text(),
    /** Id in the source. */
    externalId: text(),
    subject: text().nullable(),
    url: text().nullable(),
    attributes: json<Record<string, string>>(),
    parts: json<ConversationPart[]>(),
    /** Hash of the stored values, so that sending them again changes nothing. */
    inputHash: hash(),
    createdAt: createdTime(),
    ingestedAt: createdTime(),
    /** Null until the issue of the present content is stored. */
    processedAt: time().nullable(),
    organization: reference('Organization', 'organization_id'),
  },
  uniques: [{ name: 'conversation_source_unique', properties: ['organizationId', 'source', 'externalId'] }],
  indexes: [
    { name: 'conversation_organization_index', properties: ['organizationId', 'createdAt', 'id'] },
    { name: 'conversation_source_index', properties: ['organizationId', 'source', 'createdAt', 'id'] },
    {
      name: 'conversation_unprocessed_index',
      expression:
        'create index "conversation_unprocessed_index" on "conversation" ("organization_id", "id") where "processed_at" is null',
    },
  ],
});

/** The question of a conversation. Each conversation has one. */
export const ConversationIssue = defineEntity({
  name: 'ConversationIssue',
  tableName: 'conversation_issue',
  properties: {
    id: text().primary(),
    organizationId: text(),
    conversationId: text(),
    clusterId: text().nullable(),
    /** Of the conversation. */
    source: text(),
    title: text(),
    summary: text(),
    /** ISO 639-1. Null if it is not known. */
    language: text().nullable(),
    /** Stems of the words of the question in their order, separated by spaces. */
    terms: text().default(''),
    /** The word of each term. */
    words: text().default(''),
    /** Concepts that the question mentions, in any words: `lib/grouping/concepts.ts`. Separated by spaces. */
    concepts: text().default(''),
    /** The vector of the question by a model, not longer than `MAX_WIDTH`. Empty for a question without text. */
    embedding: p.array().columnType('real[]').$type<number[]>().nullable(),
    /** The model that gave the vector. */
    embeddingModel: text().nullable(),
    /** Which way of finding terms, words and concepts they come from: `derive-issues.ts`. */
    derivation: p.integer().default(0),
    createdAt: createdTime(),
    ingestedAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
    conversation: reference('Conversation', 'conversation_id'),
    cluster: reference('IssuesCluster', 'cluster_id').nullable(),
  },
  uniques: [{ name: 'conversation_issue_conversation_unique', properties: ['conversationId'] }],
  indexes: [
    { name: 'conversation_issue_organization_index', properties: ['organizationId', 'createdAt', 'id'] },
    { name: 'conversation_issue_cluster_index', properties: ['clusterId', 'createdAt', 'id'] },
    { name: 'conversation_issue_derivation_index', properties: ['derivation', 'organizationId'] },
  ],
});

/** Issues that ask the same. */
export const IssuesCluster = defineEntity({
  name: 'IssuesCluster',
  tableName: 'issues_cluster',
  properties: {
    id: text().primary(),
    organizationId: text(),
    label: text(),
    summary: text(),
    /** The issue that the summary is taken from. */
    centralIssueId: text().nullable(),
    status: text().$type<ClusterStatus>().default('pending'),
    /** Words that distinguish the cluster, best first. */
    terms: p.array().columnType('text[]').$type<string[]>().defaultRaw(`'{}'`),
    /** The mean of the vectors of its issues: buckets and their weights. */
    buckets: p.array().columnType('int[]').$type<number[]>().defaultRaw(`'{}'`),
    weights: p.array().columnType('real[]').$type<number[]>().defaultRaw(`'{}'`),
    /** The mean of the vectors of its issues by a model. Empty if they were grouped by their words. */
    embedding: p.array().columnType('real[]').$type<number[]>().defaultRaw(`'{}'`),
    issuesCount: p.integer().default(0),
    closedAt: time().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [
    { name: 'issues_cluster_organization_index', properties: ['organizationId', 'updatedAt', 'id'] },
    { name: 'issues_cluster_size_index', properties: ['organizationId', 'issuesCount', 'id'] },
  ],
});

/** Label and summary of a cluster, by a chat model. */
export const IssuesClusterDescription = defineEntity({
  name: 'IssuesClusterDescription',
  tableName: 'issues_cluster_description',
  properties: {
    clusterId: text().primary(),
    organizationId: text(),
    model: text(),
    /** Null if the model gave nothing that can be shown. */
    label: text().nullable(),
    summary: text().nullable(),
    /** The issues whose questions were sent. */
    issueIds: p.array().columnType('text[]').$type<string[]>().defaultRaw(`'{}'`),
    /** Issues that the cluster had. */
    issuesCount: p.integer().default(0),
    describedAt: time(),
    cluster: reference('IssuesCluster', 'cluster_id'),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [{ name: 'issues_cluster_description_organization_index', properties: ['organizationId'] }],
});

/** The state of grouping the issues of an organization. */
export const IssuesGrouping = defineEntity({
  name: 'IssuesGrouping',
  tableName: 'issues_grouping',
  properties: {
    organizationId: text().primary(),
    /** Set while a job is enqueued that has not started. */
    requestedAt: time().nullable(),
    /** A job works on the organization until this time at most. */
    leasedUntil: time().nullable(),
    /** How rare the features of issues are, as of the latest complete grouping. */
    frequencies: json<StoredFrequencies>().nullable(),
    /** Number of issues of the latest complete grouping. */
    documents: p.integer().default(0),
    /** Issues that were added, changed or deleted since. */
    changes: p.integer().default(0),
    groupedAt: time().nullable(),
    /**
     * The model whose vectors the latest complete grouping compared. Null if it compared words, or if the vectors were
     * forgotten since: all issues are then grouped again.
     */
    embeddingModel: text().nullable(),
    /** The mean of the vectors of all issues by that model. */
    embeddingMean: p.array().columnType('real[]').$type<number[]>().defaultRaw(`'{}'`),
    /** Length of the vectors that the model returned last. Those that are stored can be shorter. */
    embeddingLength: p.integer().nullable(),
    /** The model that returned it. */
    embeddingLengthOf: text().nullable(),
    /** Error of the latest request for vectors. Null if it succeeded. */
    embeddingError: text().nullable(),
    embeddingFailedAt: time().nullable(),
    /** A job asks for labels until this time at most. */
    labelsLeasedUntil: time().nullable(),
    /** The model that was last asked for labels. */
    labelsModel: text().nullable(),
    /** Error that kept clusters from getting a label by that model. Null if all have one. */
    labelsError: text().nullable(),
    labelsFailedAt: time().nullable(),
    organization: reference('Organization', 'organization_id'),
  },
});

/** Usage of a model in a month. */
const monthlyUsage = () => ({
  organizationId: text().primary(),
  /** `2026-01` */
  month: text().primary(),
  requests: p.integer().default(0),
  texts: p.integer().default(0),
  characters: p.integer().default(0),
  organization: reference('Organization', 'organization_id'),
});

/** Usage of the embedding model. */
export const EmbeddingUsage = defineEntity({
  name: 'EmbeddingUsage',
  tableName: 'embedding_usage',
  properties: monthlyUsage(),
});

/** Usage of the chat model. */
export const LabelUsage = defineEntity({ name: 'LabelUsage', tableName: 'label_usage', properties: monthlyUsage() });

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    conversation: Table<typeof Conversation>;
    conversation_issue: Table<typeof ConversationIssue>;
    issues_cluster: Table<typeof IssuesCluster>;
    issues_grouping: Table<typeof IssuesGrouping>;
    issues_cluster_description: Table<typeof IssuesClusterDescription>;
    embedding_usage: Table<typeof EmbeddingUsage>;
    label_usage: Table<typeof LabelUsage>;
  }
}
