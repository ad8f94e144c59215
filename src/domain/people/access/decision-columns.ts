const columns = (names: string) => names.split(' ');

/**
 * The columns that decisions about access read, and the other columns of their tables. Triggers (`changesAccess`) give
 * the organization a new version of its access with every change of a column that is read.
 *
 * `user.is_operator`, sessions and API tokens, and the SAML providers that they were made with, are not part of an
 * organization's access. They are remembered for four seconds.
 */
export const decisionTables = {
  organization: {
    reads: columns('id blocked sso'),
    ignores: columns(
      'title email_domains hostname custom_hostname type use_case community_type plan default_role default_site_id ' +
        'logo ai invite_links merge_rules created_at updated_at version',
    ),
  },
  membership: {
    reads: columns('organization_id user_id role is_disabled is_break_glass role_provider_id'),
    ignores: columns('id is_sso email linkable_email joined_at last_seen_at'),
  },
  team_member: {
    reads: columns('organization_id team_id user_id role saml_provider_id'),
    ignores: columns('added_at'),
  },
  collection: {
    reads: columns('id organization_id default_level'),
    ignores: columns('title description created_by created_at updated_at version'),
  },
  space: {
    reads: columns('id organization_id default_level deleted_at'),
    ignores: columns(
      'title emoji icon edit_mode merge_rules language revision_id latest_change_request_number created_by ' +
        'created_at updated_at version',
    ),
  },
  placement: {
    reads: columns('item_id organization_id parent_id'),
    ignores: columns('rank'),
  },
  grant: {
    reads: columns('organization_id target_id grantee_id role'),
    ignores: columns('created_at'),
  },
  site: {
    reads: columns('id organization_id visibility is_published default_level is_adaptive'),
    ignores: columns(
      'type title hostname basename proxy_origin icon is_for_agents created_by created_at updated_at version',
    ),
  },
  site_space: {
    reads: columns('organization_id site_id space_id section_id condition'),
    ignores: columns('id path rank is_default created_at updated_at version'),
  },
  site_item: {
    reads: columns('organization_id site_id condition'),
    ignores: columns('id kind group_id rank title description icon path url is_default created_at updated_at version'),
  },
  share_link: {
    reads: columns('organization_id site_id is_active'),
    ignores: columns('id name key key_hash created_by created_at updated_at version'),
  },
  site_auth: {
    reads: columns('organization_id site_id key_id'),
    ignores: columns('private_key backend fallback_url logout_url updated_at'),
  },
} satisfies Record<string, { reads: string[]; ignores: string[] }>;

export type DecisionTable = keyof typeof decisionTables;

/** Whether decisions about access read the table, so that its rows are changed under the lock of the access. */
export const isDecisionTable = (table: string): table is DecisionTable => Object.hasOwn(decisionTables, table);

/** The columns of all other tables. A test compares both lists with the database, so that a new column gets a decision. */
export const otherTables: Record<string, string[]> = {
  access_version: columns('organization_id version'),
  user: columns('id email unverified_email display_name photo_url is_operator created_at updated_at version'),
  email_verification: columns('user_id email secret_hash requested_at expires_at window_start requests'),
  api_token: columns('id user_id label secret_hash saml_provider_id expires_at last_used_at created_at'),
  session: columns('secret_hash user_id saml_provider_id created_at expires_at'),
  saml_provider: columns(
    'id organization_id label sso_url entity_id certificate default_team_id default_role created_at updated_at version',
  ),
  saml_request: columns(
    'id organization_id saml_provider_id browser_hash return_to user_id code_hash subject mail_hash mailed_at created_at expires_at',
  ),
  sso_identity: columns('saml_provider_id issuer kind subject organization_id user_id created_at last_used_at'),
  team: columns('id organization_id title created_at'),
  signing_key: columns('organization_id id public_key private_key created_at'),
  email_invite: columns(
    'id organization_id email role is_sso is_vouched secret_hash secret invited_by created_at expires_at sent_at',
  ),
  link_invite: columns(
    'id organization_id space_id collection_id role expires_at uses created_by created_at updated_at version',
  ),
  agent_instructions: columns('organization_id document updated_at updated_by version'),
  site_adaptive_schema: columns('site_id organization_id json_schema updated_at'),
  site_customization: columns('target_id organization_id site_id settings updated_at'),
  site_redirect: columns(
    'id organization_id site_id source key is_wildcard is_draft capture_wildcard is_permanent destination created_at ' +
      'updated_at version',
  ),
  site_insight: columns('site_id day kind value organization_id total'),
  custom_hostname: columns('hostname site_id organization_id status verified_at checked_at'),
  revision: columns(
    'id organization_id space_id type parents root_hash files_hash reusable_contents_hash variables_hash tags_hash ' +
      'merged_from_id change_request_id summary git created_by created_at',
  ),
  git_sync: columns(
    'space_id organization_id provider repository_url url ref project_directory tree_url commit_oid base_revision_id ' +
      'branch_revision_id conflict_change_request_id conflict_keys operation_at updated_at',
  ),
  git_file: columns('space_id path organization_id kind target_id oid sketch'),
  git_run: columns(
    'id organization_id space_id direction status repository_url credentials ref project_directory tree_url commit_url ' +
      'commit_message provider info_url force standalone operation_at reason created_by created_at updated_at started_at ' +
      'completed_at attempt files_read pages_read files_changed kept_count changed_count dropped_count report log pushing ' +
      'revision_id commit_oid change_request_id connection_id is_dry_run preview pull_number saml_provider_id',
  ),
  git_connection: columns(
    'id organization_id space_id provider repository_url credentials ref project_directory tree_url commit_url api_url ' +
      'commit_message initial_side imports_pull_requests hook_secret state state_detail state_since is_paused ' +
      'synced_revision_id proposal_ref pull_request_url kept_revision_id kept_commit_oid failure_streak wanted_at ' +
      'polled_at hook_seen_at user_id saml_provider_id created_at updated_at ssh_private_key ssh_public_key ssh_host_keys',
  ),
  manifest_node: columns('organization_id hash body'),
  page_node: columns(
    'organization_id hash kind page_id fields document_hash source_hash children created_at updated_at updated_by',
  ),
  head_page: columns(
    'space_id page_id organization_id parent_id position kind title path is_hidden document_hash node_hash',
  ),
  old_slug: columns('space_id parent_id slug organization_id page_id changed_at'),
  document: columns('organization_id hash body markdown anchors uses derived_version created_at'),
  source_text: columns('organization_id hash head body document links created_at'),
  document_section: columns('organization_id document_hash position anchor title body'),
  document_reference: columns(
    'organization_id document_hash position kind relation target_id target_space_id block_key ref',
  ),
  head_link_count: columns('space_id organization_id total broken'),
  head_outside_link: columns('space_id target_key organization_id kind target_id target_space_id anchor total'),
  blob: columns('organization_id hash size content_type width height created_at'),
  head_file: columns('space_id file_id organization_id name blob_hash content_type size width height'),
  head_reusable_content: columns(
    'space_id reusable_content_id organization_id title document_hash source_hash computed',
  ),
  search_entry: columns('id organization_id hash words length'),
  search_page: columns('space_id page_id organization_id entry_id node_hash no_index version'),
  search_source: columns('space_id source_id'),
  search_word: columns('id organization_id word folded spellings'),
  change_request: columns(
    'id organization_id space_id number status subject description revision_id revision_initial_id ' +
      'revision_merged_ancestor_id revision_merged_id merged_at merged_by agent_task_id issues_cluster_id ' +
      'created_by created_at updated_at version',
  ),
  review: columns(
    'id organization_id space_id change_request_id revision_id reviewer_id requested_by status created_at ' +
      'updated_at',
  ),
  requested_reviewer: columns('change_request_id user_id organization_id space_id revision_id requested_by created_at'),
  comment: columns(
    'id organization_id space_id change_request_id body markdown posted_by posted_at edited_at updated_at version ' +
      'revision_id review_id page_id node_id table_record table_definition resolved_at resolved_by',
  ),
  comment_reply: columns(
    'id organization_id space_id change_request_id body markdown posted_by posted_at edited_at updated_at version ' +
      'comment_id',
  ),
  comment_reaction: columns('subject_id code user_id organization_id space_id emoji reacted_at'),
  upload: columns('id organization_id user_id blob_hash size pending_bytes name created_at expires_at'),
  import_run: columns(
    'id organization_id space_id change_request_id page_id site_id source status reason created_by created_at ' +
      'updated_at started_at completed_at pages_found pages_read pages_written files_written kept_count ' +
      'changed_count dropped_count report revision_id saml_provider_id',
  ),
  webhook: columns(
    'id organization_id url label kinds secret paused_at pause_reason failure_streak created_by created_at ' +
      'updated_at version',
  ),
  webhook_delivery: columns(
    'id organization_id webhook_id event_id status attempts response_status error milliseconds created_at ' +
      'attempted_at',
  ),
  openapi_spec: columns(
    'id organization_id slug source_url source_text source_number etag last_modified visibility processing_since processing_state ' +
      'latest_version_id last_processed_at last_process_error_code last_processed_errors created_by created_at ' +
      'updated_at version',
  ),
  openapi_spec_version: columns(
    'id organization_id spec_id source_url digest format openapi_version title api_version operations_count ' +
      'schemas_count files_count changes_count breaking_changes_count outline page_keys location lint_state lint_errors_count ' +
      'lint_warnings_count lint_failure lint_updated_at created_at',
  ),
  openapi_file: columns('version_id position piece organization_id filename references source specification'),
  openapi_operation: columns(
    'id organization_id version_id position kind method path operation_id summary tags is_deprecated body parts',
  ),
  openapi_schema: columns('id organization_id version_id position name title body parts'),
  openapi_part: columns('version_id ref organization_id body'),
  openapi_change: columns('version_id position organization_id subject kind name is_breaking reasons'),
  openapi_lint_problem: columns(
    'version_id position organization_id rule severity message filename pointer line column',
  ),
  translation: columns(
    'id organization_id space_id source_language language instructions translated_space_id status former_status ' +
      'run_number source_revision_id computed_revision_id result_revision_id pages_total pages_done runs total_words ' +
      'total_pages total_duration latest_run_duration latest_pages latest_words latest_segments latest_sent_segments ' +
      'latest_sent_characters untranslated_segments imports provider last_error started_at created_by created_at updated_at',
  ),
  translation_page: columns(
    'translation_id page_id organization_id input_hash fields source_document_hash document_hash segments ' +
      'untranslated_segments',
  ),
  translation_memory: columns('organization_id key translation translation_id created_at'),
  translation_edit: columns(
    'id organization_id translation_id page_id line segment source nodes translation needs_review new_source ' +
      'new_translation created_at updated_at',
  ),
  translation_provider: columns('organization_id kind url model api_key character_limit created_at updated_at'),
  translation_usage: columns('organization_id month requests segments characters'),
  glossary_entry: columns('id organization_id translations created_at updated_at'),
  conversation: columns(
    'id organization_id source external_id subject url attributes parts input_hash created_at ingested_at processed_at',
  ),
  conversation_issue: columns(
    'id organization_id conversation_id cluster_id source title summary language terms words concepts ' +
      'embedding embedding_model derivation created_at ingested_at',
  ),
  issues_cluster: columns(
    'id organization_id label summary central_issue_id status terms buckets weights embedding ' +
      'issues_count closed_at created_at updated_at',
  ),
  issues_grouping: columns(
    'organization_id requested_at leased_until frequencies documents changes grouped_at embedding_model ' +
      'embedding_mean embedding_error embedding_failed_at labels_leased_until labels_model labels_error ' +
      'labels_failed_at',
  ),
  issues_cluster_description: columns(
    'cluster_id organization_id model label summary issue_ids issues_count described_at',
  ),
  embedding_usage: columns('organization_id month requests texts characters'),
  label_usage: columns('organization_id month requests texts characters'),
  event: columns('id organization_id transaction_id kind actor_id space_id ids created_at'),
  event_consumer: columns('name transaction_id event_id'),
  idempotency_key: columns('actor_id operation key input_hash outcome created_at'),
  compatibility: columns('id minimum_version'),
  secret_key: columns('id salt fingerprint previous_fingerprint kept_in installation recorded_at'),
  email_domain_proof: columns('domain organization_id status verified_at checked_at'),
  rate_lease: columns('bucket window_start taken'),
  content_mark: columns('run_id kind hash is_expanded'),
  mikro_orm_migrations: columns('id name executed_at'),
};
