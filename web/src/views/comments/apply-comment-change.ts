import { ConnectionHandler, type RecordProxy, type RecordSourceSelectorProxy } from 'relay-runtime';

/** Names of the connections of comments and replies, as in their fragments. */
export const REPLIES = 'replies_replies';

/**
 * Brings a change to comments (`commentChanged`, `changeRequestChanged`) into a list of comments: what was posted is
 * appended unless it is there, and what was deleted is removed. Edits are in the store already.
 */
export function applyCommentChange(
  store: RecordSourceSelectorProxy,
  change: RecordProxy,
  listId: string,
  isListed: (comment: RecordProxy) => boolean = () => true,
): void {
  const list = store.get(listId);
  const comment = change.getLinkedRecord('comment');
  const reply = change.getLinkedRecord('commentReply');
  const deletedId = change.getValue('deletedId');
  if (!list) return;
  if (typeof deletedId === 'string') {
    const replies = comment && ConnectionHandler.getConnection(comment, REPLIES);
    ConnectionHandler.deleteNode(replies ?? list, deletedId);
    return;
  }
  if (!comment || !isListed(comment)) return;
  if (change.getValue('kind') === 'COMMENT_POSTED') append(store, list, comment, 'CommentEdge');
  if (change.getValue('kind') === 'COMMENT_REPLY_POSTED' && reply) {
    const replies = ConnectionHandler.getConnection(comment, REPLIES);
    if (replies) append(store, replies, reply, 'CommentReplyEdge');
  }
}

function append(store: RecordSourceSelectorProxy, list: RecordProxy, node: RecordProxy, edgeType: string): void {
  const edges = list.getLinkedRecords('edges') ?? [];
  if (edges.some((edge) => edge?.getLinkedRecord('node')?.getDataID() === node.getDataID())) return;
  ConnectionHandler.insertEdgeAfter(list, ConnectionHandler.createEdge(store, list, node, edgeType));
}
