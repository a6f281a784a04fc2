import type { components } from '../../../api/paths.gen.d.ts';

type Schemas = components['schemas'];

export type TemplateName = 'order_status' | 'lead_capture' | 'office_hours' | 'survey' | 'hand_over' | 'abandoned_cart';

/** A field that a template writes; it is created where the account has none of this key. */
type TemplateField = { key: string; name: string; type: Schemas['CustomField']['type'] };

/** A flow to begin with: it publishes without errors, and its scenario passes. */
export type Template = {
  definition: Record<string, unknown> & { blocks: readonly ({ id: string; type: string } & Record<string, unknown>)[] };
  fields: readonly TemplateField[];
  scenario: { name: string; simulation: Schemas['SimulationOfScenario']; expected: Schemas['ScenarioExpectations'] };
};

/** Where the flow asks: the test endpoint of the installation where there is one. */
export type ApiUrl = string;

/** A contact of whom only the first name is known. */
export const ada = { first_name: 'Ada', custom_fields: {}, tags: [] } as const;
