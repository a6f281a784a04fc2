import { edgesOf } from './edges.ts';
import type { Finding, Issues } from './issues.ts';
import type { Nearest } from './nearest.ts';
import type { Draft, DraftBlock } from './shape.ts';

/** A block whose shape is right, and the blocks that its ports lead to. */
type Node = { id: string; index: number; waits: boolean; to: readonly string[] };

/** Tells what is wrong with where a draft's blocks lead. */
export const checkGraph = (issues: Issues, nearest: Nearest, draft: Draft): void => {
  const ids = new Map<string, number>();
  for (const { index, id } of draft.blocks) {
    if (id === undefined) continue;
    const first = ids.get(id);
    if (first === undefined) ids.set(id, index);
    else {
      const message = `is the id of blocks.${first} already`;
      issues.add({ code: 'duplicate_id', block_id: id, path: `blocks.${index}.id`, message });
    }
  }
  const missing = (id: string, at: Pick<Finding, 'path' | 'block_id' | 'code'>): void => {
    if (!ids.has(id))
      issues.add({ ...at, message: 'is not a block of this flow', hint: nearest('block', id, ids.keys()) });
  };
  if (draft.start !== undefined && draft.blocks.length > 0)
    missing(draft.start, { code: 'no_start', path: 'start', block_id: null });
  for (const block of draft.blocks) {
    const at = { code: 'missing_target', block_id: block.id ?? null };
    for (const [port, to] of block.next) missing(to, { ...at, path: `blocks.${block.index}.next.${port}` });
    const jump = block.parsed?.block.jumpsTo?.(block.parsed.config);
    if (jump) missing(jump.block, { ...at, path: `blocks.${block.index}.${jump.path}` });
    checkPorts(issues, block);
  }
  const nodes = nodesOf(draft, ids);
  // With an id twice nobody knows where anything leads.
  const isUnique = draft.blocks.every(({ index, id }) => id === undefined || ids.get(id) === index);
  if (isUnique) checkCycles(issues, nodes);
  // What a block of the wrong shape would lead to is not known.
  if (draft.start !== undefined && ids.has(draft.start) && nodes.size === draft.blocks.length)
    checkReach(issues, nodes, draft.start);
};

const checkPorts = (issues: Issues, { index, id, parsed }: DraftBlock): void => {
  if (!parsed) return;
  const ports = parsed.block.ports(parsed.config);
  const at = (port: string) => ({ block_id: id ?? null, path: `blocks.${index}.next.${port}` });
  for (const port of Object.keys(parsed.config.next ?? {}))
    if (!ports.some(({ name }) => name === port))
      issues.add({ ...at(port), code: 'unknown_port', message: 'is not a port of this block' });
  for (const { name, omitted } of ports) {
    if (parsed.config.next?.[name] !== undefined || omitted === 'following') continue;
    if (omitted === 'error')
      issues.add({
        ...at(name),
        code: 'missing_port',
        message: 'must be set: the id of a block, or null to end the run',
      });
    // Whoever cannot be written to has no other way to be asked.
    else if (name !== 'failed')
      issues.add({
        ...at(name),
        code: 'open_error_port',
        severity: 'warning',
        message: 'leads nowhere, so the run fails',
      });
  }
};

const nodesOf = (draft: Draft, ids: ReadonlyMap<string, number>): Map<string, Node> => {
  const nodes = new Map<string, Node>();
  for (const block of draft.blocks) {
    const { index, id, parsed } = block;
    if (id === undefined || !parsed || ids.get(id) !== index) continue;
    const to = edgesOf(draft, block).map((edge) => edge.to);
    nodes.set(id, { id, index, waits: parsed.block.waits ?? false, to });
  }
  return nodes;
};

/** Tells of circles without a wait, each once, by the block where it closes. Every block is visited once, without recursion. */
const checkCycles = (issues: Issues, nodes: ReadonlyMap<string, Node>): void => {
  const done = new Set<string>();
  for (const start of nodes.values()) {
    const way: { node: Node; left: string[] }[] = [];
    const enter = (id: string): void => {
      const node = nodes.get(id);
      if (!node || node.waits || done.has(id)) return;
      done.add(id);
      way.push({ node, left: [...node.to] });
    };
    enter(start.id);
    for (let last = way.at(-1); last; last = way.at(-1)) {
      const to = last.left.pop();
      const begun = to === undefined ? -1 : way.findIndex(({ node }) => node.id === to);
      if (begun >= 0) issues.add(circle(way.slice(begun).map(({ node }) => node)));
      else if (to === undefined) way.pop();
      else enter(to);
    }
  }
};

const circle = (nodes: readonly Node[]): Finding => {
  const [first] = nodes;
  const names = nodes.length <= 10 ? nodes : [...nodes.slice(0, 9), { id: '…' }];
  return {
    code: 'endless_cycle',
    block_id: first?.id ?? null,
    path: `blocks.${first?.index}`,
    message: `is in a loop without a wait: ${[...names, { id: first?.id }].map(({ id }) => id).join(' → ')}`,
    hint: 'Put an ask, a delay, a wait_event or a handover into it.',
  };
};

const checkReach = (issues: Issues, nodes: ReadonlyMap<string, Node>, start: string): void => {
  const reached = new Set([start]);
  for (const id of reached) for (const to of nodes.get(id)?.to ?? []) reached.add(to);
  for (const { id, index } of nodes.values()) {
    if (reached.has(id)) continue;
    const message = 'is reached from nowhere';
    issues.add({ code: 'unreachable_block', severity: 'warning', block_id: id, path: `blocks.${index}`, message });
  }
};
