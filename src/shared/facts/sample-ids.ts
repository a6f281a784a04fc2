/** Ids of the right form that belong to nothing, for samples of facts. */
export const sampleIds = {
  contact: 'con_01m7yvw2d9fakacgw7x6mj5rnw',
  delivery: 'dlv_01m7yvw2djfakacgxdw00stas2',
  message: 'msg_01m7yvw2defakacgwsjrgb7k0y',
  conversation: 'cnv_01m7yvw2dgfakacgx3k5t8w0qe',
  flow: 'flow_01m7yvw2dkfakacgx9c4h2m8ra',
  order: 'ord_01m7yvw2dmfakacgxm2n6p1s3t',
  handover: 'hnd_01m7yvw2dnfakacgxq5r8v2w4y',
} as const;
