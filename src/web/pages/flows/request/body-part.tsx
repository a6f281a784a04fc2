import { Alert, Button, SegmentedControl, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { findJsonTemplateFault } from '../../../../shared/flows/templating/render-json.ts';
import { parseTemplate } from '../../../../shared/flows/templating/template.ts';
import { formatJson } from '../../../parts/format-json.ts';
import { textOf } from '../edits/blocks.ts';
import type { BlockFormProps } from '../panel/block-form.ts';
import { FieldProblems, useProblems } from '../panel/problems/field-problems.tsx';
import { TemplateInput } from '../panel/template-input.tsx';
import { sayPosition } from './say-position.ts';
import { rawBodyTypeOf, templateOf, type BodyType } from './read-request.ts';
import { TemplateTable } from './template-table.tsx';
import { words } from './words.ts';

const bodyTypes = ['json', 'form', 'raw', 'none'] as const;

const isText = (type: BodyType | undefined): boolean => type === 'json' || type === 'raw';

/** What is wrong with JSON as it is being typed, before the draft is checked. */
const findFault = (body: string): string | undefined => {
  const fault = body === '' ? undefined : (parseTemplate(body).problems[0] ?? findJsonTemplateFault(body));
  return fault && `${sayPosition(body, fault.position)} ${fault.message}`;
};

/** What a request sends with it. */
export const BodyPart = ({ block, set }: BlockFormProps) => {
  const problems = useProblems('body_type');
  /** What another type does not send comes back with its type. */
  const before = useRef<{ body?: unknown; form?: unknown }>({});
  const type = rawBodyTypeOf(block);
  const method = textOf(block, 'method');
  const choose = (next: BodyType): void => {
    const { body = before.current.body, form = before.current.form } = block;
    before.current = { body, form };
    set({ body_type: next, body: isText(next) ? (body ?? '') : undefined, form: next === 'form' ? form : undefined });
  };
  const body = templateOf(block['body']);
  const formatted = type === 'json' ? formatJson(body) : undefined;
  return (
    <Stack gap="sm">
      <div data-field="body_type">
        <SegmentedControl
          fullWidth
          aria-label={words.bodyType}
          data={bodyTypes.map((value) => ({ value, label: words.bodyTypes[value] }))}
          value={type ?? ''}
          onChange={(next) => choose(bodyTypes.find((known) => known === next) ?? 'none')}
        />
        <FieldProblems id="body_type-problems" problems={problems} />
      </div>
      {method === 'GET' && type !== 'none' && <Alert color="orange">{words.noBody}</Alert>}
      {type !== undefined && (
        <Text size="xs" c="dimmed">
          {words.bodyHints[type]}
        </Text>
      )}
      {(isText(type) || block['body'] !== undefined) && (
        <div className="request-body">
          <TemplateInput
            path="body"
            label={words.body}
            place={type === 'json' ? 'json' : 'text'}
            lines={8}
            value={body}
            error={type === 'json' ? findFault(body) : undefined}
            onChange={(text) => set({ body: text })}
          />
          {formatted !== undefined && formatted !== body && (
            <Button mt={6} size="compact-sm" variant="default" onClick={() => set({ body: formatted })}>
              {words.formatBody}
            </Button>
          )}
        </div>
      )}
      {(type === 'form' || block['form'] !== undefined) && (
        <TemplateTable
          field="form"
          label={words.formFields}
          hint={words.bodyHints.form}
          most={100}
          place="form"
          // A form without fields stays one.
          set={(fields, at) => set({ ...fields, ...(type === 'form' && { body_type: 'form' }) }, at)}
        />
      )}
    </Stack>
  );
};
