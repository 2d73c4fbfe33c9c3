import { Elysia } from 'elysia'
import { serve } from '@/http/serve'
import { changeWebhook, createWebhook, deleteWebhook, listWebhooks, rotateWebhookSecret } from './actions'
import { listDeliveries, retryWebhookMessage } from './deliveries/actions'
import { listEventTypes, testWebhook } from './testing/actions'

export const webhookRoutes = new Elysia({ prefix: '/v1/developer', tags: ['Developer'] })
  .get('/event-types', ...serve(listEventTypes))
  .get('/webhooks', ...serve(listWebhooks))
  .post('/webhooks', ...serve(createWebhook, { status: 201 }))
  .patch('/webhooks/:id', ...serve(changeWebhook))
  .delete('/webhooks/:id', ...serve(deleteWebhook))
  .get('/webhooks/:id/deliveries', ...serve(listDeliveries))
  .post('/webhooks/:id/messages/:messageId/retry', ...serve(retryWebhookMessage))
  .post('/webhooks/:id/rotate-secret', ...serve(rotateWebhookSecret))
  .post('/webhooks/:id/test', ...serve(testWebhook))
