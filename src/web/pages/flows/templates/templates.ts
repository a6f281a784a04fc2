import { abandonedCart } from './abandoned-cart.ts';
import { handOver } from './hand-over.ts';
import { leadCapture } from './lead-capture.ts';
import { officeHours } from './office-hours.ts';
import { orderStatus } from './order-status.ts';
import { survey } from './survey.ts';
import type { ApiUrl, Template, TemplateName } from './template.ts';

const templates: Readonly<Record<TemplateName, (api: ApiUrl) => Template>> = {
  order_status: orderStatus,
  lead_capture: leadCapture,
  office_hours: officeHours,
  survey,
  hand_over: handOver,
  abandoned_cart: abandonedCart,
};

/** In the order of the gallery. */
export const templateNames = [
  'order_status',
  'lead_capture',
  'office_hours',
  'survey',
  'hand_over',
  'abandoned_cart',
] as const satisfies readonly TemplateName[];

/** An address that nobody has, for installations without a test endpoint: its user puts the own one in its place. */
const nowhere = 'https://shop.example';

/** A template; it asks the API at this URL, if given. */
export const createTemplate = (name: TemplateName, api: ApiUrl = nowhere): Template => templates[name](api);
