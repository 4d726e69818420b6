//! A graphics card, opened for compute shaders.

use std::sync::{Arc, Mutex, PoisonError};

use futures_channel::oneshot::{self, Receiver};
use wgpu::{
    Adapter, Buffer, BufferAsyncError, BufferDescriptor, BufferUsages, CommandEncoder, CommandEncoderDescriptor,
    Device, DeviceDescriptor, DeviceType, Instance, InstanceDescriptor, InstanceFlags, Limits, MapMode, PollType,
    Queue, SubmissionIndex,
};

use crate::error::GpuError;

/// Which adapters may be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapters {
    /// Hardware alone.
    Hardware,
    /// Hardware, and without it a program that does the same on the CPU, such as lavapipe.
    Any,
}

/// What a device reported first of all.
#[derive(Debug, Clone, Default)]
struct Failure(Arc<Mutex<Option<GpuError>>>);

impl Failure {
    fn set(&self, error: GpuError) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(error);
    }

    fn get(&self) -> Option<GpuError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// An open graphics card.
#[derive(Debug, Clone)]
pub struct Card {
    name: String,
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    failure: Failure,
}

impl Card {
    /// Opens the best adapter: a card of its own before one in the processor, and software last.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] and [`GpuError::Unusable`]
    pub async fn open(adapters: Adapters) -> Result<Self, GpuError> {
        let instance = Instance::new(InstanceDescriptor {
            // Without the validation layers of a debug build.
            flags: InstanceFlags::empty(),
            ..InstanceDescriptor::new_without_display_handle()
        });
        let mut found = all(&instance, adapters).await;
        found.sort_by_key(|adapter| match adapter.get_info().device_type {
            DeviceType::DiscreteGpu => 0,
            DeviceType::IntegratedGpu => 1,
            DeviceType::VirtualGpu => 2,
            DeviceType::Other => 3,
            DeviceType::Cpu => 4,
        });
        let is_software = |adapter: &Adapter| adapter.get_info().device_type == DeviceType::Cpu;
        match found.first() {
            Some(best) if adapters == Adapters::Any || !is_software(best) => Self::of(best).await,
            _ => {
                let software = found.iter().map(|adapter| adapter.get_info().name);
                Err(GpuError::NoAdapter {
                    software: software.collect(),
                })
            }
        }
    }

    async fn of(adapter: &Adapter) -> Result<Self, GpuError> {
        let info = adapter.get_info();
        let name = format!("{} ({})", info.name, info.backend);
        let theirs = adapter.limits();
        let descriptor = DeviceDescriptor {
            required_limits: Limits {
                max_buffer_size: theirs.max_buffer_size,
                max_storage_buffer_binding_size: theirs.max_storage_buffer_binding_size,
                ..Limits::default()
            },
            ..DeviceDescriptor::default()
        };
        let opened = adapter.request_device(&descriptor).await;
        let (device, queue) = opened.map_err(|error| GpuError::Unusable {
            adapter: name.clone(),
            reason: error.to_string(),
        })?;
        let failure = Failure::default();
        let lost = failure.clone();
        device.set_device_lost_callback(move |_, reason| lost.set(GpuError::Lost { reason }));
        let failed = failure.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| failed.set(reported(&error))));
        Ok(Self {
            name,
            device,
            queue,
            failure,
        })
    }

    /// The adapter's name and how it is reached.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Closes the device, as a driver does that loses it. Its work gives [`GpuError::Lost`] from now on.
    pub fn destroy(&self) {
        self.device.destroy();
        self.failure.set(GpuError::Lost {
            reason: "it was closed".to_owned(),
        });
    }

    /// # Errors
    /// [`GpuError::Lost`] or [`GpuError::Memory`] if the device has failed since it was opened.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        self.failure.get().map_or(Ok(()), Err)
    }

    /// Room for that many numbers of 32 bits, all 0.
    ///
    /// # Errors
    /// [`GpuError::Limit`]
    pub(crate) fn buffer(&self, what: &'static str, numbers: usize) -> Result<Buffer, GpuError> {
        let limits = self.device.limits();
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let bytes = (numbers.max(1) as u64).saturating_mul(4);
        if bytes > most {
            return Err(GpuError::Limit { what, bytes, most });
        }
        Ok(self.device.create_buffer(&BufferDescriptor {
            label: Some(what),
            size: bytes,
            usage: BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        }))
    }

    /// A place for settings.
    pub(crate) fn uniform(&self, bytes: usize) -> Buffer {
        self.device.create_buffer(&BufferDescriptor {
            label: Some("settings"),
            size: bytes as u64,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    }

    pub(crate) fn encoder(&self) -> CommandEncoder {
        self.device.create_command_encoder(&CommandEncoderDescriptor::default())
    }

    /// Has the work done, and gives what the first numbers of some buffers will be, one after the other.
    pub(crate) fn read(&self, mut work: CommandEncoder, buffers: &[(&Buffer, usize)]) -> Reading {
        let bytes = |numbers: usize| numbers as u64 * 4;
        let staging = self.device.create_buffer(&BufferDescriptor {
            label: Some("what is read"),
            size: buffers.iter().map(|(_, numbers)| bytes(*numbers)).sum(),
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut at = 0;
        for (buffer, numbers) in buffers {
            work.copy_buffer_to_buffer(buffer, 0, &staging, at, bytes(*numbers));
            at += bytes(*numbers);
        }
        let submission = self.queue.submit([work.finish()]);
        let (sender, receiver) = oneshot::channel();
        // A reading that is dropped has no receiver.
        staging.map_async(MapMode::Read, .., move |result| drop(sender.send(result)));
        Reading {
            card: self.clone(),
            staging,
            submission,
            receiver,
        }
    }
}

/// Numbers that a card will have computed. Other work may follow before they are asked for.
#[derive(Debug)]
pub struct Reading {
    card: Card,
    staging: Buffer,
    submission: SubmissionIndex,
    receiver: Receiver<Result<(), BufferAsyncError>>,
}

impl Reading {
    /// Waits for the numbers, and for no work that followed.
    ///
    /// # Errors
    /// [`GpuError::Lost`]
    pub async fn numbers(self) -> Result<Vec<f32>, GpuError> {
        // In a browser this is nothing: it works by itself.
        let waited = self.card.device.poll(PollType::Wait {
            submission_index: Some(self.submission),
            timeout: None,
        });
        self.card.check()?;
        let lost = |reason: String| GpuError::Lost { reason };
        waited.map_err(|error| lost(error.to_string()))?;
        let answer = answer(self.receiver).await;
        self.card.check()?;
        match answer {
            Some(Ok(())) => {}
            Some(Err(error)) => return Err(lost(error.to_string())),
            None => return Err(lost("it gives no results".to_owned())),
        }
        let numbers = {
            let view = self.staging.get_mapped_range(..);
            let view = view.map_err(|error| lost(error.to_string()))?;
            bytemuck::pod_collect_to_vec(&view)
        };
        self.staging.unmap();
        // A page's garbage collector knows nothing of the card's memory.
        self.staging.destroy();
        Ok(numbers)
    }
}

/// An error that a device reports.
fn reported(error: &wgpu::Error) -> GpuError {
    let reason = error.to_string();
    match error {
        wgpu::Error::OutOfMemory { .. } => GpuError::Memory { reason },
        _ => GpuError::Lost { reason },
    }
}

/// What a device answers once it has been waited for.
#[cfg(not(target_arch = "wasm32"))]
fn answer<T>(mut receiver: Receiver<T>) -> std::future::Ready<Option<T>> {
    std::future::ready(receiver.try_recv().ok().flatten())
}

/// What a device answers.
#[cfg(target_arch = "wasm32")]
async fn answer<T>(receiver: Receiver<T>) -> Option<T> {
    receiver.await.ok()
}

/// All adapters.
#[cfg(not(target_arch = "wasm32"))]
async fn all(instance: &Instance, _: Adapters) -> Vec<Adapter> {
    instance.enumerate_adapters(wgpu::Backends::all()).await
}

/// The best adapter, which is all that a browser gives. It offers software where it has no other, or only where that is asked for.
#[cfg(target_arch = "wasm32")]
async fn all(instance: &Instance, adapters: Adapters) -> Vec<Adapter> {
    for force_fallback_adapter in [false, adapters == Adapters::Any] {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            force_fallback_adapter,
            ..wgpu::RequestAdapterOptions::default()
        };
        if let Ok(adapter) = instance.request_adapter(&options).await {
            return vec![adapter];
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_memory_is_not_told_as_a_lost_card() {
        let source = || Box::<dyn std::error::Error + Send + Sync>::from("why");
        let full = reported(&wgpu::Error::OutOfMemory { source: source() });
        assert!(matches!(full, GpuError::Memory { .. }), "{full}");
        let failed = reported(&wgpu::Error::Internal {
            source: source(),
            description: "what".to_owned(),
        });
        assert!(matches!(failed, GpuError::Lost { .. }), "{failed}");
        // The first failure is the cause of later ones.
        let failure = Failure::default();
        failure.set(full.clone());
        failure.set(failed);
        assert_eq!(failure.get(), Some(full));
    }
}
