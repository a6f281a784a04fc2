/** Events as sentences. */
export const eventWords = {
  meanings: {
    new_message: 'Wrote a message',
    new_contact: 'Became a contact',
    tag_applied: 'Got a tag',
    flow_completed: 'Reached the end of a flow',
    order_placed: 'Placed an order',
    order_status_changed: 'An order changed its status',
    handover_requested: 'People were asked for',
    conversation_closed: 'A conversation was closed',
  },
  told: {
    new_message: (text: string) => `Wrote: ${text}`,
    tag_applied: (name: string) => `Got the tag “${name}”`,
    flow_completed: (name: string) => `Reached the end of the flow ${name}`,
    order_placed: (number: string) => `Placed the order ${number}`,
    order_status_changed: ({ number, from, to }: { number: string; from: string; to: string }) =>
      `The order ${number} went from ${from} to ${to}`,
    handover_requested: (reason: string) => `People were asked for: ${reason}`,
  },
} as const;
