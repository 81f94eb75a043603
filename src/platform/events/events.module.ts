import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { DispatcherService } from './dispatcher.service.js';
import { RelayService } from './relay.service.js';

@Module({
  providers: [DispatcherService, RelayService],
  exports: [DispatcherService, RelayService],
})
export class EventsModule {}

/** Dispatches events, in every process of the service. */
@Module({ imports: [EventsModule] })
export class RelayModule implements OnApplicationBootstrap {
  constructor(private readonly relay: RelayService) {}

  onApplicationBootstrap(): void {
    this.relay.start();
  }
}
