import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { HealthController } from './health.controller.js';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';

@Module({ imports: [NotificationsModule], controllers: [HealthController], providers: [Metrics, Readiness] })
export class HealthModule {}
