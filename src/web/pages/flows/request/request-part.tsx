import { Group, Select, Stack } from '@mantine/core';
import { textOf } from '../edits/blocks.ts';
import type { BlockFormProps } from '../panel/block-form.ts';
import { TemplateInput } from '../panel/template-input.tsx';
import { errorAt, IssueNotes, issuesAt } from './issue-notes.tsx';
import { NumberField } from './number-field.tsx';
import { TemplateTable } from './template-table.tsx';
import { ToggleField } from './toggle-field.tsx';
import { words } from './words.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Where a request goes, and how. */
export const RequestPart = ({ block, set, issues }: BlockFormProps) => {
  const method = textOf(block, 'method');
  const urlError = errorAt(issues, 'url');
  return (
    <Stack gap="md">
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <div data-field="method" style={{ width: 104, flex: 'none' }}>
          <Select
            label={words.method}
            data={methods.includes(method) || method === '' ? methods : [method, ...methods]}
            allowDeselect={false}
            value={method || null}
            error={errorAt(issues, 'method')}
            onChange={(next) => next !== null && set({ method: next })}
          />
        </div>
        <div data-field="url" style={{ flex: 1, minWidth: 0 }}>
          <TemplateInput
            label={words.url}
            placeholder="https://api.example.com/orders/{{order_id}}"
            place="url"
            value={textOf(block, 'url')}
            error={urlError}
            onChange={(url) => set({ url })}
          />
          <IssueNotes issues={issuesAt(issues, 'url')} told={urlError} />
        </div>
      </Group>
      <TemplateTable
        field="query"
        label={words.query}
        hint={words.queryHint}
        value={block['query']}
        onChange={(query, at) => set({ query }, at)}
        issues={issues}
        most={50}
        place="form"
      />
      <TemplateTable
        field="headers"
        label={words.headers}
        hint={words.headersHint}
        value={block['headers']}
        onChange={(headers, at) => set({ headers }, at)}
        issues={issues}
        most={20}
        place="header"
      />
      <NumberField
        field="timeout_ms"
        label={words.timeout}
        hint={words.timeoutHint}
        value={block['timeout_ms']}
        onChange={(timeoutMs) => set({ timeout_ms: timeoutMs })}
        issues={issues}
        standard={10_000}
        least={1_000}
        most={120_000}
        unit={1_000}
      />
      <ToggleField
        field="follow_redirects"
        label={words.redirects}
        hint={words.redirectsHint}
        value={block['follow_redirects']}
        onChange={(follows) => set({ follow_redirects: follows })}
        issues={issues}
      />
      <ToggleField
        field="safe_to_repeat"
        label={words.safe}
        hint={words.safeHint}
        value={block['safe_to_repeat']}
        onChange={(isSafe) => set({ safe_to_repeat: isSafe })}
        issues={issues}
      />
    </Stack>
  );
};
